import { parse } from "@std/dotenv";
import { unicodeWidth } from "@std/cli/unicode-width";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as dotenv from "../../scripts/std/dotenv.ts";
import { PACKAGES, STAMP } from "../../scripts/std/packages.ts";
import { readTarball, verifyIntegrity } from "../../scripts/std/tarball.ts";
import { exportsOf, packageTree, sectionsOf } from "../../scripts/std/tree.ts";
import * as width from "../../scripts/std/unicode_width.ts";

const ENV_FILES: [text: string, want: Record<string, string>][] = [
  ["", {}],
  ["A=1", { A: "1" }],
  ["  A = 1 \r\nexport B=2\r\n", { A: "1", B: "2" }],
  ["# A=1\nB=2 # C=3\nC=a#b", { B: "2", C: "a" }],
  [`A='x y' # c\nB="#"`, { A: "x y", B: "#" }],
  [String.raw`A="a\nb\t\"c\"\\"` + "\n" + String.raw`B='a\nb'` + "\n" + String.raw`C=a\nb`, {
    A: 'a\nb\t"c"\\',
    B: "a\\nb",
    C: "a\\nb",
  }],
  [`A="one\ntwo"\nB='three\nfour'`, { A: "one\ntwo", B: "three\nfour" }],
  [`A="\none\n"`, { A: "one" }],
  [`A='never closed\nB=2`, { A: "'never closed", B: "2" }],
  [`A=\nB=""\nC`, { A: "", B: "" }],
  ["A=x=y", { A: "x=y" }],
  ["A=1\nA=2", { A: "2" }],
  ["A=1\nB=$A\nC=${A}2\nD='$A'\nE=\"$A\"\nF=\\$A", { A: "1", B: "1", C: "12", D: "$A", E: "$A", F: "\\$A" }],
  ["A=${MINI_AGENT_NOT_SET:-else}\nB=$MINI_AGENT_NOT_SET", { A: "else", B: "undefined" }],
];

for (const [name, subject] of [["the stand-in", dotenv.parse], ["@std/dotenv", parse]] as const) {
  Deno.test(`parse() of ${name} reads .env files`, () => {
    for (const [text, want] of ENV_FILES) assertEquals({ ...subject(text) }, want, JSON.stringify(text));
  });
}

Deno.test("parse() of the stand-in comes to an end when a value names itself", () => {
  assertEquals({ ...dotenv.parse("A=$A\nB=$C\nC=$B") }, { A: "$A", B: "$C", C: "$B" });
});

const WIDTHS: [text: string, columns: number][] = [
  ["", 0],
  ["abc", 3],
  ["é", 1],
  ["e\u0301", 1],
  ["日本語", 6],
  ["한글", 4],
  ["ｶﾞ", 2],
  ["Ａ", 2],
  ["👍", 2],
  ["👍🏽", 4],
  ["❤", 1],
  ["🇩🇪", 2],
  ["\u200b\u200d\ufeff", 0],
  ["\u00ad", 1],
  ["\t\n\x1b\x7f\x9f", 0],
  ["─│┌", 3],
  ["…", 1],
];

for (const [name, subject] of [["the stand-in", width.unicodeWidth], ["@std/cli", unicodeWidth]] as const) {
  Deno.test(`unicodeWidth() of ${name} counts terminal columns`, () => {
    for (const [text, columns] of WIDTHS) assertEquals(subject(text), columns, JSON.stringify(text));
  });
}

Deno.test("exportsOf() names files as JSR does and leaves private ones out", () => {
  assertEquals(exportsOf(["mod.js", "parse_args.js", "_types.js", "posix/mod.js", "posix/to_url.js", "_a/b.js"]), {
    ".": "./mod.js",
    "./parse-args": "./parse_args.js",
    "./posix": "./posix/mod.js",
    "./posix/to-url": "./posix/to_url.js",
  });
});

Deno.test("sectionsOf() finds the names that each file exports", () => {
  const text =
    "type A = 1;\n//# one Other\nexport interface B {}\n//# two\nexport function c(): A;\nexport const d: 1;\n";
  assertEquals(sectionsOf(text), [["one", ["Other", "B"]], ["two", ["c", "d"]]]);
});

Deno.test("packageTree() pins the imports of other packages and links the declarations", () => {
  const files = new Map([["sub/a.js", 'import { isWindows } from "../../internal/os.js";\nimport "../b.js";\n']]);
  const packages = [{ name: "path", version: "1.1.6" }, { name: "internal", version: "1.0.14" }];
  const declarations = "//# a\nexport const a: 1;\n";
  const tree = packageTree(packages[0]!, files, { declarations, packages });
  const base = "jsr.io/@std/path";
  assertEquals(
    tree.get(`${base}/1.1.6/sub/a.js`),
    'import { isWindows } from "jsr:@std/internal@1.0.14/os";\nimport "../b.js";\n',
  );
  assertEquals(tree.get(`${base}/1.1.6/a.d.ts`), 'export { a } from "./_declarations.d.ts";\n');
  assertEquals(JSON.parse(tree.get(`${base}/1.1.6_meta.json`)!).exports, { "./sub/a": "./sub/a.js" });
});

Deno.test("packageTree() removes doc comments that the compiler would take for types", () => {
  const files = new Map([["a.js", "// kept\n/**\n * @param b gone\n */\nexport const a = (b) => b;\n"]]);
  const tree = packageTree({ name: "internal", version: "1.0.14" }, files, { packages: [] });
  assertEquals(tree.get("jsr.io/@std/internal/1.0.14/a.js"), "// kept\nexport const a = (b) => b;\n");
});

/** A gzipped tarball with one file. */
async function tarball(path: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const header = `${path.padEnd(124, "\0")}${text.length.toString(8).padStart(11, "0")}\0`.padEnd(156, "\0") + "0";
  const tar = header.padEnd(512, "\0") + text.padEnd(512, "\0") + "\0".repeat(1024);
  const stream = new Blob([tar]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

Deno.test("readTarball() returns the files without npm's folder", async () => {
  assertEquals(await readTarball(await tarball("package/a/b.js", "text")), new Map([["a/b.js", "text"]]));
});

Deno.test("verifyIntegrity() refuses other bytes than the pinned ones", async () => {
  const bytes = new TextEncoder().encode("abc");
  const right = "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==";
  await verifyIntegrity("abc", bytes, right);
  await assertRejects(
    () => verifyIntegrity("abc", new TextEncoder().encode("abd"), right),
    Error,
    "Cannot use abc: its integrity is",
  );
});

Deno.test("deno.json, setup.sh and the scripts agree on what lies in a complete dependency folder", async () => {
  const read = (path: string) => Deno.readTextFile(new URL(`../../${path}`, import.meta.url));
  assertStringIncludes(await read("scripts/setup.sh"), `stamp=${STAMP}\n`);
  const { tasks } = JSON.parse(await read("deno.json"));
  for (const task of ["start", "test", "test:slow", "check", "compile", "bundle", "bench"]) {
    assertStringIncludes(tasks[task].command, `(cat vendor/${STAMP} 2>/dev/null || deno task -q vendor) && `);
  }
  assertEquals(PACKAGES.map(({ name }) => name), ["assert", "cli", "dotenv", "fs", "path", "internal"]);
});
