import { assertEquals } from "@std/assert";
import { makeStyles, type Styles, withoutStyles } from "../../src/cli/ansi.ts";
import { MarkdownStream } from "../../src/cli/markdown.ts";
import { textWidth } from "../../src/cli/text_width.ts";

const plain = makeStyles(false);
const styled = makeStyles(true);

Deno.test("headings, lists, quotes and rules are laid out and broken within their indentation", () => {
  assertEquals(render("# A heading\n## Another ##\n", 40), ["# A heading", "## Another"]);
  assertEquals(render("- one two three\n  - four five six\n10. seven eight\n", 12), [
    "• one two",
    "  three",
    "  • four",
    "    five six",
    "10. seven",
    "    eight",
  ]);
  assertEquals(render("- [ ] open\n- [x] done\n", 40), ["☐ open", "☑ done"]);
  assertEquals(render("> quoted words here\n> > twice\n", 14), ["│ quoted words", "│ here", "│ │ twice"]);
  assertEquals(render("---\n***\n", 5), ["─────", "─────"]);
});

Deno.test("a tab is four blanks wherever it stands", () => {
  assertEquals(render("# a\tb\n\tc\td\n| e\tf |\n", 40), ["# a    b", "    c    d", "| e    f |"]);
});

Deno.test("blank lines set paragraphs apart, but never more than one", () => {
  assertEquals(render("\n\none\n\n\n\ntwo\nthree", 40), ["one", "", "two", "three"]);
});

Deno.test("emphasis, code and links are dressed and lose their marks", () => {
  const { bold, italic, strike, cyan, underline, grey } = styled;
  const dressed: [string, string][] = [
    ["a **b** c", `a ${bold("b")} c`],
    ["__b__ and _i_ and *i*", `${bold("b")} and ${italic("i")} and ${italic("i")}`],
    ["***x***", bold(italic("x"))],
    ["~~gone~~", strike("gone")],
    ["`a*b*` and ``c`d``", `${cyan("a*b*")} and ${cyan("c`d")}`],
    ["**a *b* c**", bold("a ") + bold(italic("b")) + bold(" c")],
    ["[label](http://x/a_(b))", `${underline("label")}${grey(" (http://x/a_(b))")}`],
    ["[http://x](http://x)", underline("http://x")],
    ["\\*not\\* C:\\dir", "*not* C:\\dir"],
  ];
  for (const [source, want] of dressed) assertEquals(render(source, 80, styled), [want], source);
});

Deno.test("marks that have no partner, or stand in a word, are text", () => {
  for (
    const text of ["2 * 3 ** 4", "**kwargs and *args", "snake_case_name", "a [link", "`open", "~ x ~y~", "f(*a, **b)"]
  ) {
    assertEquals(render(text, 80, styled), [text]);
  }
});

Deno.test("without styles code keeps its marks, since nothing else sets it apart", () => {
  assertEquals(render("run `ls` **now**", 80), ["run `ls` now"]);
});

Deno.test("a code block names its language if it has one, keeps every blank and is broken only where a row is full", () => {
  assertEquals(render("```js\nif (a) {\n\n\tb **c**;\n}\n```\nafter", 40), [
    "js",
    "  if (a) {",
    "  ",
    "      b **c**;",
    "  }",
    "after",
  ]);
  assertEquals(render(`~~~\n${"x".repeat(25)}\n~~~\n`, 12), ["  xxxxxxxxxx", "  xxxxxxxxxx", "  xxxxx"]);
  assertEquals(render("````\n```\n````\n", 12), ["  ```"]);
  assertEquals(render("- item\n  ```sh\n  ls\n  ```\n", 20), ["• item", "sh", "  ls"]);
});

Deno.test("a diff in a code block has its colours", () => {
  const { grey, red, green } = styled;
  assertEquals(render("```diff\n-old\n+new\n same\n```\n", 40, styled), [
    grey("diff"),
    grey("  ") + red("-old"),
    grey("  ") + green("+new"),
    grey("  ") + " same",
  ]);
});

Deno.test("a table is drawn in columns when all of it is there", () => {
  const stream = new MarkdownStream(plain);
  assertEquals(stream.write("| a | name |\n|---|:-:|\n| 1 | 你好世界 |\n", 40), []);
  assertEquals(stream.tail(), ["| a | name |", "|---|:-:|", "| 1 | 你好世界 |"]);
  assertEquals(stream.write("| **2** | x \\| y |\n", 40), []);
  assertEquals(stream.write("\n", 40), ["a  name", "─  ────────", "1  你好世界", "2  x | y", ""]);
});

Deno.test("a table that is too wide takes from its widest columns, and becomes a list where none is left", () => {
  const source = "| id | text |\n|---|---|\n| 1 | some words that are long |\n| 2 | short |\n";
  assertEquals(render(source, 20), [
    "id  text",
    "──  ────────────────",
    "1   some words that",
    "    are long",
    "2   short",
  ]);
  assertEquals(render(source, 9), [
    "id: 1",
    "text:",
    "some",
    "words",
    "that are",
    "long",
    "",
    "id: 2",
    "text:",
    "short",
  ]);
});

Deno.test("lines with bars that are no table stay as they are", () => {
  assertEquals(render("| a | b |\n| c | d |\ntext\n", 40), ["| a | b |", "| c | d |", "text"]);
});

const SAMPLE = `# Title of *it*

Some **bold text** with \`code\` and a line that goes on, so that it is broken **over rows even where it is bold**.

- one with a long text that needs *more than* one row, 你好世界你好世界，你好
  1. nested [link](http://x)
- [x] done

> quoted **text** that is long enough to be broken into rows

| a | b |
|---|---|
| 1 | a long cell with many words in it |

\`\`\`js
const x = "${"x".repeat(60)}";

\`\`\`
***
A **mark without partner and 2 * 3, then the end`;

Deno.test("however the text is cut, the same rows come out, and none is taken back", () => {
  for (const width of [1, 2, 5, 20, 38, 80]) {
    const whole = render(SAMPLE, width, styled);
    for (const size of [1, 2, 3, 7, 50]) {
      const stream = new MarkdownStream(styled);
      const rows: string[] = [];
      for (let at = 0; at < SAMPLE.length; at += size) {
        rows.push(...stream.write(SAMPLE.slice(at, at + size), width));
        assertEquals(rows, whole.slice(0, rows.length), `width ${width}, pieces of ${size}`);
        stream.tail();
      }
      rows.push(...stream.end());
      assertEquals(rows, whole, `width ${width}, pieces of ${size}`);
    }
  }
});

Deno.test("no row is wider than the terminal, at any width", () => {
  for (const width of [-1, 0, 1, 2, 3, 5, 20, 40]) {
    for (const row of render(SAMPLE, width, styled)) {
      const limit = Math.max(2, width);
      assertEquals(textWidth(withoutStyles(row)) <= limit, true, `${width}: ${row}`);
    }
  }
});

Deno.test("rows of a long paragraph come while it is still arriving", () => {
  const stream = new MarkdownStream(plain);
  assertEquals(stream.write("some words that are followed by more", 20), ["some words that are"]);
  assertEquals(stream.tail(), ["followed by more"]);
  assertEquals(stream.write(" and **bold words that", 20), []);
  assertEquals(stream.tail(), ["followed by more and", "**bold words that"]);
  assertEquals(stream.write(" go on** to the end", 20), ["followed by more and", "bold words that go"]);
  assertEquals(stream.end(), ["on to the end"]);
});

Deno.test("a terminal that changes its width loses and repeats no words", () => {
  const stream = new MarkdownStream(plain);
  const words = Array.from({ length: 60 }, (_, i) => `w${i}`);
  const rows = words.flatMap((word, i) => stream.write(`${word} `, i % 2 === 0 ? 20 : 33));
  rows.push(...stream.end());
  assertEquals(rows.join(" ").split(/\s+/).filter((word) => word !== ""), words);
});

Deno.test("a stream can be used for one text after another", () => {
  const stream = new MarkdownStream(plain);
  stream.write("```\nopen", 40);
  assertEquals(stream.end(), ["  open"]);
  assertEquals(stream.write("**b**\n", 40), ["b"]);
  assertEquals(stream.tail(), []);
});

Deno.test("one endless line in small pieces costs linear time", () => {
  for (const piece of ["word ", "x", "*a ", "[", "a`", "你"]) {
    const stream = new MarkdownStream(plain);
    let length = 0;
    for (let i = 0; i < 20; i++) length += stream.write(piece.repeat(1000), 80).join(" ").length;
    length += stream.end().join(" ").length;
    assertEquals(length > 10_000, true, piece);
  }
});

/** The rows of a whole text. */
function render(text: string, width: number, styles: Styles = plain): string[] {
  const stream = new MarkdownStream(styles);
  return [...stream.write(text, width), ...stream.end()];
}
