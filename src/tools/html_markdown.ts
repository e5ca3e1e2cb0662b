/**
 * How the elements of a page are written as text.
 *
 * @module
 */

/** A link with more text than this was left open, or is half a page: it is shown as text. */
const MAX_LINK_CHARS = 400;

/** A link with its address; the text alone where there is none. */
export function linkText(text: string, href: string | undefined): string {
  if (href === undefined || text === "" || text.length > MAX_LINK_CHARS) return text;
  const line = text.replace(/\s*\n\s*/g, " ");
  return line === href ? href : `[${line}](${href})`;
}

/** Code within a line. */
export function inlineCode(text: string): string {
  return text === "" || text.includes("\n") ? text : `\`${text}\``;
}

/** Code in lines of its own. */
export function codeBlock(text: string, language: string): string {
  const code = text.replace(/^\r?\n/, "").trimEnd();
  const fence = code.includes("```") ? "~~~~" : "```";
  return code === "" ? "" : `${fence}${language}\n${code}\n${fence}`;
}

/** The language that a class such as `language-ts` names, or nothing. */
export function languageOf(attributes: ReadonlyMap<string, string>): string {
  return /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]+)/.exec(attributes.get("class") ?? "")?.[1] ?? "";
}

/** A picture's own words. */
export function imageText(alt: string | undefined): string {
  const words = alt?.trim() ?? "";
  return words === "" ? "" : ` [image: ${words}] `;
}

/** A quotation. */
export function quotation(text: string): string {
  return text === "" ? "" : text.replace(/^/gm, "> ");
}

/** A row of a table. Where the cells hold whole paragraphs the table is there for the looks: they follow each other. */
export function tableRow(cells: readonly string[], isFirst: boolean): string {
  const filled = cells.filter((cell) => cell !== "");
  if (filled.length === 0) return "";
  if (cells.length === 1 || cells.some((cell) => cell.includes("\n\n") || cell.length > 1000)) {
    return filled.join("\n\n");
  }
  const row = `| ${cells.map((cell) => cell.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
  return isFirst ? `${row}\n|${" --- |".repeat(cells.length)}` : row;
}
