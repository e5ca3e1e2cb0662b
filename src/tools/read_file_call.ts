import { confine, quotePath } from "../permissions/paths.ts";
import { contentHash } from "./content_hash.ts";
import { hasCrLines, withLineFeeds } from "./cr_lines.ts";
import { MAX_FILE_BYTES, readBytes } from "./file_change.ts";
import { type ImageType, imageTypeOf, isWholeImage } from "./image_file.ts";
import { decodePieces, formatOf, MAX_SCANNED_BYTES, readHead } from "./large_text.ts";
import { openInPlace } from "./in_place.ts";
import { LinePage } from "./line_page.ts";
import { missingHint } from "./missing_hint.ts";
import { decodeText, describeFormat, type TextFormat } from "./text_file.ts";
import { type SeenFile, type ToolContext, ToolError, type ToolOutput } from "./tool.ts";

/** What `read_file` is given. */
export interface ReadFileInput {
  path: string;
  offset?: number | undefined;
  limit?: number | undefined;
}

/** A tool's output has at most 30,000 characters; the rest is for what is said about the page. */
const MAX_PAGE_CHARS = 29_000;

/** Long lines are seldom what is looked for; asked for alone, one may fill the page. */
const MAX_LINE_CHARS = 2000;
const MAX_ONLY_LINE_CHARS = 28_000;

/** What model services take. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

const CR_NOTE = "CR line ends";

/** What is asked for. */
interface Wanted {
  readonly given: string;
  readonly offset: number;
  readonly limit: number;
}

/** Runs one call of `read_file`. */
export async function call(
  { path: given, offset = 1, limit = Infinity }: ReadFileInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path, type } = await confine(given, "read", context);
  if (type === "absent") throw refusal(given, `there is no such file${await missingHint(path, context.cwd)}`);
  if (type === "folder") throw refusal(given, "it is a folder, list it with list_files");
  const wanted = { given, offset: Math.max(1, offset), limit };
  using file = open(path, given);
  const { size } = await file.stat();
  context.signal.throwIfAborted();
  return size <= MAX_FILE_BYTES
    ? await readWhole(await readBytes(file, size), path, wanted)
    : await readLarge(file, size, { wanted, context });
}

function open(path: string, given: string): Deno.FsFile {
  try {
    return openInPlace(path);
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) throw refusal(given, "permission denied");
    throw error;
  }
}

async function readWhole(bytes: Uint8Array<ArrayBuffer>, path: string, wanted: Wanted): Promise<ToolOutput> {
  const { given } = wanted;
  const image = imageTypeOf(bytes);
  const text = isPdf(bytes) ? undefined : decodeText(bytes);
  // a text may begin like a picture: "GIF89a is a format"
  if (image && (!text || isWholeImage(bytes, image))) return showImage(bytes, image, given);
  if (!text) throw binaryRefusal(given, bytes, bytes.length);
  const file: SeenFile = { path, hash: await contentHash(bytes) };
  if (text.text === "") return { content: `${quotePath(given)} is empty (${bytes.length} bytes)`, seen: [file] };
  const lines = withLineFeeds(text.text);
  const page = newPage(wanted, !lines.includes("\n"));
  page.add(lines);
  page.end();
  const notes = [
    ...hasCrLines(text.text) ? [CR_NOTE] : [],
    ...text.lossless ? [] : ["bytes that are not valid are shown as U+FFFD"],
  ];
  const content = describePage(page, wanted, { format: text, notes, isComplete: true });
  const { lines: { length }, totalLines: total } = page;
  if (length === total) return { content, seen: [file] };
  const { offset } = wanted;
  return { content, seen: [{ ...file, page: { first: offset, last: offset + length - 1, total } }] };
}

async function readLarge(
  file: Deno.FsFile,
  size: number,
  { wanted, context }: { wanted: Wanted; context: ToolContext },
): Promise<ToolOutput> {
  const head = await readHead(file);
  const image = imageTypeOf(head);
  if (image) throw refusal(wanted.given, `it is a picture of ${size} bytes, more than ${MAX_IMAGE_BYTES}`);
  const format = isPdf(head) ? undefined : formatOf(head);
  if (!format) throw binaryRefusal(wanted.given, head, size);
  const page = newPage(wanted, false);
  let isCr: boolean | undefined; // the first piece tells
  for await (const piece of decodePieces(file, { encoding: format.encoding, signal: context.signal })) {
    isCr ??= hasCrLines(piece);
    page.add(isCr ? piece.replaceAll("\r", "\n") : piece);
  }
  page.end();
  const notes = [...isCr ? [CR_NOTE] : [], `${size} bytes, too large for edit_file and write_file`];
  return { content: describePage(page, wanted, { format, notes, isComplete: size <= MAX_SCANNED_BYTES }) };
}

function showImage(bytes: Uint8Array, mediaType: ImageType, given: string): ToolOutput {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw refusal(given, `it is a picture of ${bytes.length} bytes, more than ${MAX_IMAGE_BYTES}`);
  }
  if (!isWholeImage(bytes, mediaType)) {
    throw refusal(given, `it is a binary file of ${bytes.length} bytes: a damaged picture (${mediaType})`);
  }
  return {
    content: `${quotePath(given)} is a picture (${mediaType}, ${bytes.length} bytes), shown with this result`,
    images: [{ type: "image", mediaType, data: bytes.toBase64() }],
  };
}

/** Much of it may look like text and says nothing. */
function isPdf(head: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(head.subarray(0, 5)) === "%PDF-";
}

function binaryRefusal(given: string, head: Uint8Array, size: number): ToolError {
  return refusal(
    given,
    isPdf(head)
      ? `it is a PDF document of ${size} bytes: turn it into text with a command such as pdftotext`
      : `it is a binary file of ${size} bytes`,
  );
}

function newPage({ offset, limit }: Wanted, isOneLine: boolean): LinePage {
  return new LinePage({
    offset,
    maxLines: limit,
    maxChars: MAX_PAGE_CHARS,
    maxLineChars: limit === 1 || isOneLine ? MAX_ONLY_LINE_CHARS : MAX_LINE_CHARS,
  });
}

/** The lines, and after them in brackets what they do not show. */
function describePage(
  page: LinePage,
  { given, offset, limit }: Wanted,
  { format, notes, isComplete }: { format: TextFormat; notes: string[]; isComplete: boolean },
): string {
  const total = page.totalLines === 1 ? "1 line" : `${page.totalLines} lines`;
  if (page.lines.length === 0) {
    const reason = isComplete ? `it has ${total}` : `only the first ${MAX_SCANNED_BYTES} bytes are read, ${total}`;
    throw new ToolError(`Cannot read ${quotePath(given)} from line ${offset}: ${reason}`);
  }
  const last = offset + page.lines.length - 1;
  const isWhole = offset === 1 && last === page.totalLines && isComplete;
  const range = offset === last ? `line ${offset}` : `lines ${offset}-${last}`;
  const next = last < page.totalLines ? `; read on with offset ${last + 1}` : "";
  const said = [
    isWhole ? "" : `${range} of ${isComplete ? total : `at least ${total}`}${next}`,
    page.cutLines > 0 && limit !== 1 ? "a line that was cut is shown further with limit 1" : "",
    describeFormat(format),
    describeLineEnds(page),
    isComplete && last === page.totalLines && !page.endsWithNewline ? "no newline at the end" : "",
    ...notes,
  ].filter((note) => note !== "");
  return page.lines.join("\n") + (said.length > 0 ? `\n(${said.join("; ")})` : "");
}

function describeLineEnds({ returns, totalLines, endsWithNewline }: LinePage): string {
  if (returns === 0) return "";
  return returns === totalLines - (endsWithNewline ? 0 : 1) ? "CRLF line ends" : "some lines end CRLF, some LF";
}

function refusal(given: string, reason: string): ToolError {
  return new ToolError(`Cannot read ${quotePath(given)}: ${reason}`);
}
