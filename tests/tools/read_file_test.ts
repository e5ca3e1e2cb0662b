import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { PathError } from "../../src/permissions/paths.ts";
import { readFile } from "../../src/tools/read_file.ts";
import { ToolError, type ToolOutput } from "../../src/tools/tool.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

interface Page {
  offset?: number;
  limit?: number;
}

/** Reads a file with this content. */
async function read(content: string | Uint8Array, page: Page = {}): Promise<ToolOutput> {
  await using dir = await tempDir({ "a.txt": content });
  return await readFile.execute({ path: "a.txt", ...page }, newToolContext({ cwd: dir.path }));
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}→line ${from + i}`).join("\n");
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

Deno.test("read_file gives each line its number and adds nothing to a file that is shown whole", async () => {
  assertEquals((await read("one\n\n\tthree\n")).content, "1→one\n2→\n3→\tthree");
});

Deno.test("read_file reads a page and says how to read on", async () => {
  const { content } = await read(numbered(9), { offset: 3, limit: 2 });
  assertEquals(content, `${lines(3, 4)}\n(lines 3-4 of 9 lines; read on with offset 5)`);
  assertEquals((await read(numbered(9), { offset: 9 })).content, "9→line 9\n(line 9 of 9 lines)");
  assertEquals((await read(numbered(9), { offset: 0, limit: 1 })).content.split("\n")[0], "1→line 1");
});

Deno.test("read_file reads all of a long file, page by page, within 30,000 characters a page", async () => {
  const text = numbered(8000);
  await using dir = await tempDir({ "a.txt": text });
  const read: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined;) {
    const { content } = await readFile.execute({ path: "a.txt", offset }, newToolContext({ cwd: dir.path }));
    assert(content.length <= 30_000);
    read.push(...content.split("\n").filter((line) => line.includes("→")));
    const next = /read on with offset (\d+)/.exec(content)?.[1];
    assert(next === undefined || Number(next) > offset);
    offset = next === undefined ? undefined : Number(next);
  }
  assertEquals(read.map((line) => line.replace(/^\d+→/, "") + "\n").join(""), text);
});

Deno.test("read_file cuts long lines and gets on behind them", async () => {
  const text = `${"x".repeat(5000)}\nsecond\n`;
  const { content } = await read(text);
  assertEquals(
    content,
    `1→${
      "x".repeat(2000)
    }… (3000 more characters in this line)\n2→second\n(a line that was cut is shown further with limit 1)`,
  );
  assertStringIncludes((await read(text, { limit: 1 })).content, `1→${"x".repeat(5000)}\n(line 1 of 2 lines; read on`);
});

Deno.test("read_file shows as much of one endless line as fits, on a character boundary", async () => {
  const { content } = await read("🙂".repeat(500_000));
  assert(content.length <= 30_000 && content.isWellFormed());
  assertStringIncludes(content, "… (972000 more characters in this line)");
});

Deno.test("read_file says how many lines there are when asked for one behind the end", async () => {
  await assertRejects(
    () => read("1\n2\n3\n", { offset: 900 }),
    ToolError,
    'Cannot read "a.txt" from line 900: it has 3 lines',
  );
  await assertRejects(() => read("1", { offset: 2 }), ToolError, "it has 1 line");
});

Deno.test("read_file says that a file is empty", async () => {
  for (const offset of [1, 2]) {
    const { content, seen } = await read("", { offset });
    assertEquals(content, '"a.txt" is empty (0 bytes)');
    assertEquals(seen?.length, 1);
  }
  assertEquals((await read("\uFEFF")).content, '"a.txt" is empty (3 bytes)');
});

Deno.test("read_file names what lines do not show", async () => {
  assertEquals((await read("a\r\nb\r\n")).content, "1→a\n2→b\n(CRLF line ends)");
  assertEquals((await read("a\r\nb\n")).content, "1→a\n2→b\n(some lines end CRLF, some LF)");
  assertEquals((await read("a\rb\r")).content, "1→a\n2→b\n(CR line ends)");
  assertEquals((await read("a\nb")).content, "1→a\n2→b\n(no newline at the end)");
  assertEquals(
    (await read("\uFEFFa\r\nb")).content,
    "1→a\n2→b\n(UTF-8 with BOM; CRLF line ends; no newline at the end)",
  );
});

Deno.test("read_file shows other encodings and names them", async () => {
  const utf16 = Uint8Array.of(0xff, 0xfe, 0xe9, 0, 0x0a, 0);
  assertEquals((await read(utf16)).content, "1→é\n(UTF-16LE)");
  assertEquals((await read(Uint8Array.of(0x63, 0xe9, 0x0a))).content, "1→cé\n(not UTF-8, read as Windows-1252)");
  const damaged = new TextEncoder().encode("größe größe größe x\n").with(-2, 0xff);
  assertEquals(
    (await read(damaged)).content,
    "1→größe größe größe \uFFFD\n(bytes that are not valid are shown as U+FFFD)",
  );
});

Deno.test("read_file shows control characters and never sends them", async () => {
  assertEquals((await read("a\x1b[2J\x07\rb\x9b\n")).content, "1→a⟨U+001B⟩[2J⟨U+0007⟩⟨U+000D⟩b⟨U+009B⟩");
});

Deno.test("read_file shows a NUL far into a text, and refuses binary files with their size", async () => {
  const { content } = await read("line\n".repeat(2000) + "a\0b\n", { offset: 2001 });
  assertStringIncludes(content, "2001→a⟨U+0000⟩b");
  await assertRejects(() => read(Uint8Array.of(1, 2, 0, 4)), ToolError, "binary file of 4 bytes");
});

Deno.test("read_file tells which content the model has seen, and how much of it", async () => {
  await using dir = await tempDir({ "a.txt": "ac", "b.txt": "a\nb\nc\n" });
  const { seen } = await readFile.execute({ path: "a.txt", limit: 1 }, newToolContext({ cwd: dir.path }));
  const hash = "f45de51cdef30991551e41e882dd7b5404799648a0a00753f44fc966e6153fc1"; // of "ac"
  assertEquals(seen, [{ path: dir.join("a.txt"), hash }]);
  const part = await readFile.execute({ path: "b.txt", offset: 2, limit: 1 }, newToolContext({ cwd: dir.path }));
  assertEquals(part.seen?.[0]?.page, { first: 2, last: 2, total: 3 });
});

const onePixel = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==",
);

Deno.test("read_file shows a picture to a model that sees", async () => {
  const { content, images } = await read(onePixel);
  assertEquals(content, `"a.txt" is a picture (image/png, ${onePixel.length} bytes), shown with this result`);
  assertEquals(images, [{ type: "image", mediaType: "image/png", data: onePixel.toBase64() }]);
});

Deno.test("read_file does not send a picture that a service would refuse", async () => {
  await assertRejects(() => read(onePixel.subarray(0, 40)), ToolError, "damaged picture (image/png)");
  const huge = new Uint8Array(6 * 1024 * 1024);
  huge.set(onePixel);
  await assertRejects(() => read(huge), ToolError, "a picture of 6291456 bytes, more than 5242880");
});

Deno.test("read_file says what stands at a path that is no file", async () => {
  await using dir = await tempDir({ "folder/a.txt": "" });
  const context = newToolContext({ cwd: dir.path });
  await assertRejects(() => readFile.execute({ path: "no.txt" }, context), ToolError, "there is no such file");
  await assertRejects(() => readFile.execute({ path: "folder" }, context), ToolError, "list it with list_files");
});

Deno.test("read_file names what was probably meant by a path where nothing is", async () => {
  await using dir = await tempDir({ "src/Main.ts": "", "src/a.ts": "", "caf\u00e9.md": "" });
  const context = newToolContext({ cwd: dir.path });
  const why = async (path: string) => {
    const error = await assertRejects(() => readFile.execute({ path }, context), ToolError);
    return error.message.replace(`Cannot read ${JSON.stringify(path)}: there is no such file`, "");
  };
  assertEquals(await why("src/main.ts"), '; did you mean "src/Main.ts"?', "in another case");
  assertEquals(await why("src/a.ts:12:3"), '; did you mean "src/a.ts"?', "with its line");
  assertEquals(await why("src/a.ts#L7-L9"), '; did you mean "src/a.ts"?');
  assertEquals(await why("src/Main.tsx"), '; did you mean "src/Main.ts"?', "a letter more");
  assertEquals(await why('"cafe.md"'), '; did you mean "caf\u00e9.md"?', "in quotes, and without its accent");
  assertEquals(await why("lib/x/a.ts"), ', nor the folder "lib/x": look with list_files');
  assertEquals(await why("src/unknown.py"), "; look for it with find_files");
});

Deno.test("read_file knows a PDF document, and a text that begins like a picture", async () => {
  const pdf = "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n%%EOF\n";
  await assertRejects(() => read(pdf), ToolError, `a PDF document of ${pdf.length} bytes: turn it into text`);
  assertEquals((await read("GIF89a is a format\n")).content, "1→GIF89a is a format");
});

Deno.test("read_file reads no secret and nothing outside", async () => {
  await using outside = await tempDir({ "s": "marker" });
  await using dir = await tempDir({ ".env": "KEY=hidden" });
  const context = newToolContext({ cwd: dir.path });
  await assertRejects(() => readFile.execute({ path: ".env" }, context), PathError, "secret");
  await assertRejects(() => readFile.execute({ path: outside.join("s") }, context), PathError, "outside the workspace");
});

Deno.test("read_file finds a name in the other Unicode form", async () => {
  await using dir = await tempDir({ "my dir/cafe\u0301.txt": "x\n" });
  const { content } = await readFile.execute({ path: "my dir/caf\u00e9.txt" }, newToolContext({ cwd: dir.path }));
  assertEquals(content, "1→x");
});

Deno.test({
  name: "read_file refuses devices and pipes before it reads a byte",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir();
    await new Deno.Command("mkfifo", { args: [dir.join("pipe")] }).output();
    await Deno.symlink("/dev/zero", dir.join("zero"));
    const workspace = { cwd: dir.path, roots: [dir.path], unconfined: true };
    const context = newToolContext({ cwd: dir.path, workspace });
    for (const path of ["pipe", "zero", "/dev/zero", "/proc/self/environ"]) {
      await assertRejects(() => readFile.execute({ path }, context), PathError);
    }
  },
});

Deno.test("read_file pages through a file that is too large to edit, in any piece", async () => {
  const line = "größe 🙂 and more words to fill a line\r\n";
  const count = 220_000;
  await using dir = await tempDir({ "a.log": line.repeat(count) });
  const read = async (page: Page) =>
    await readFile.execute({ path: "a.log", ...page }, newToolContext({ cwd: dir.path }));
  const { content, seen } = await read({ offset: 200_000, limit: 2 });
  assertEquals(seen, undefined);
  const bytes = new TextEncoder().encode(line).length * count;
  assertEquals(
    content,
    `200000→${line.trim()}\n200001→${line.trim()}\n(lines 200000-200001 of ${count} lines; ` +
      `read on with offset 200002; CRLF line ends; ${bytes} bytes, too large for edit_file and write_file)`,
  );
  await assertRejects(() => read({ offset: 1e9 }), ToolError, `it has ${count} lines`);
});

Deno.test("read_file counts the lines of a large file that end CR", async () => {
  await using dir = await tempDir({ "a.txt": "some words\r".repeat(800_000) });
  const { content } = await readFile.execute({ path: "a.txt", offset: 799_999 }, newToolContext({ cwd: dir.path }));
  assertStringIncludes(
    content,
    "799999→some words\n800000→some words\n(lines 799999-800000 of 800000 lines; CR line ends",
  );
});

Deno.test("read_file ends at once when it is interrupted", async () => {
  await using dir = await tempDir({ "a.log": "line\n".repeat(2_000_000) });
  const signal = AbortSignal.abort();
  await assertRejects(
    () => readFile.execute({ path: "a.log" }, newToolContext({ cwd: dir.path, signal })),
    DOMException,
  );
});

Deno.test("read_file looks only so far through a sparse file of 10 GB", async () => {
  await using dir = await tempDir({ "zeros": "", "text": "words\n".repeat(3000) });
  await Deno.truncate(dir.join("zeros"), 10e9);
  await Deno.truncate(dir.join("text"), 10e9);
  const context = newToolContext({ cwd: dir.path });
  await assertRejects(
    () => readFile.execute({ path: "zeros" }, context),
    ToolError,
    "binary file of 10000000000 bytes",
  );
  const { content } = await readFile.execute({ path: "text", limit: 2 }, context);
  assertStringIncludes(content, "(lines 1-2 of at least 3001 lines; read on with offset 3; 10000000000 bytes");
  await assertRejects(() => readFile.execute({ path: "text", offset: 5000 }, context), ToolError, "only the first");
});
