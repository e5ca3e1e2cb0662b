import { assert, assertEquals } from "@std/assert";
import { decodeOutput } from "../../src/tools/output_buffer.ts";
import { ripgrepFilter } from "../../src/tools/ripgrep.ts";
import { runProcess } from "../../src/tools/run_process.ts";
import { searchFiles } from "../../src/tools/search_files.ts";
import { parsePattern } from "../../src/tools/search_pattern.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import { walk } from "../../src/tools/walk.ts";
import { generateTree } from "../testing/generated_tree.ts";
import { isInstalled } from "../testing/git.ts";
import { seeded } from "../testing/random.ts";
import { newToolContext, type TempDir, tempDir } from "../testing/tool_context.ts";

const PATH = Deno.env.get("PATH") ?? "";
const PATTERNS = [
  "needle",
  "^needle|other$",
  "\\bneedle\\b",
  "n.*e",
  "[^a-z]",
  "^$",
  "\\w+[ \\t]\\w+",
  "\\s",
  "é\\b",
  "\\B",
  "e{2}d",
  "(?i)NEEDLE",
  "\\W",
  "ü|\\d",
  "\\S+\\s+\\S",
  "^",
  "[[:upper:]]",
  "foo[-_]bar",
  "\\p{L}\\x{64}",
];
/** What only decoded text matches, or lines that end CR. */
const OTHER_PATTERNS = ["café", "(?i)CAFÉ", "caf.$", "caf\\S", "caf\\B", "caf[^e]", "^beta$", "^alpha", "\\xe9|“"];

const withoutRipgrep = (dir: TempDir) => newToolContext({ cwd: dir.path, child: { env: {} } });
const withRipgrep = (dir: TempDir) => newToolContext({ cwd: dir.path, child: { env: { PATH } } });

async function search(pattern: string, context: ToolContext, mode = "count"): Promise<string[]> {
  return (await searchFiles.execute({ pattern, mode, limit: 2000 }, context)).content.split("\n");
}

Deno.test({
  name: "search_files gives the lines that rg gives, in generated trees",
  ignore: !isInstalled("rg"),
  async fn() {
    let total = 0;
    for (let seed = 1; seed <= 3; seed++) {
      await using dir = await tempDir({ ".git/config": "needle" });
      await generateTree(dir.path, seeded(seed), { depth: 2, isOdd: false });
      for (const pattern of PATTERNS) {
        const options = ["--no-config", "--hidden", "--crlf", "--no-ignore-global", "--no-ignore-dot", "--glob=!.git"];
        const { stdout } = await runProcess(["rg", ...options, "--count", "--null", "--regexp", pattern], {
          cwd: dir.path,
          env: { PATH },
          signal: AbortSignal.timeout(60_000),
          maxBytes: 1_000_000,
        });
        const expected = decodeOutput(stdout).split(/\r?\n/).slice(0, -1).map((line) => line.replace("\0", ":"));
        const found = (await search(pattern, withoutRipgrep(dir))).filter((line) => /:\d+$/.test(line));
        assertEquals(found.toSorted(), expected.toSorted(), `${pattern} in tree ${seed}`);
        total += found.length;
      }
    }
    assert(total > 500, "the trees hold something");
  },
});

Deno.test({
  name: "ripgrepFilter() leaves every file in which the built-in search finds something",
  ignore: !isInstalled("rg"),
  async fn() {
    await using dir = await tempDir({
      "utf16": new Uint8Array(new Uint16Array([0xfeff, ...Array.from("a needle", (c) => c.charCodeAt(0))]).buffer),
      "bom": "\uFEFFneedle",
      "late": `${"a".repeat(9000)}\0needle\n`,
      "-e": "needle",
      "a\nb": "needle",
      "cafe": new Uint8Array([...new TextEncoder().encode("a caf"), 0xe9, 0x0a]),
      "quotes": new Uint8Array([0x93, ...new TextEncoder().encode("caf"), 0xe9, 0x94]),
      "utf8": "café\n",
      "cr": "alpha\rbeta\rgamma\r",
      "latin1": new Uint8Array([0xe9, ...new TextEncoder().encode(" needle\n")]),
    });
    await generateTree(dir.path, seeded(11), { depth: 2, isOdd: true });
    const files = Array.from(walk(dir.path)).filter(({ type }) => type === "file").map(({ path }) => path);
    for (const pattern of [...PATTERNS, ...OTHER_PATTERNS]) {
      const filter = await ripgrepFilter(parsePattern(pattern, false), withRipgrep(dir));
      assert(filter);
      const left = await filter(files, new AbortController().signal);
      const found = (await search(pattern, withoutRipgrep(dir), "files")).slice(0, -1);
      const shown = new Set(left.map((path) => path.slice(dir.path.length + 1)));
      assert(found.length > 0 || !OTHER_PATTERNS.includes(pattern), pattern);
      assertEquals(found.filter((path) => !path.startsWith(`"`) && !shown.has(path)), [], pattern);
    }
    const filter = await ripgrepFilter(parsePattern("needle two", false), withRipgrep(dir));
    assertEquals(await filter?.(files, new AbortController().signal), []);
  },
});

Deno.test({
  name: "search_files gives the same result with rg and without it",
  ignore: !isInstalled("rg"),
  async fn() {
    await using dir = await tempDir({ ".env": "needle", "image": "\0needle" });
    for (let i = 0; i < 400; i++) {
      const text = i % 7 === 0 ? "\uFEFFneedle\r\nx\r\n" : i % 3 === 0 ? "x\nNeedle needle\n" : "x\n";
      await Deno.writeTextFile(dir.join(`${i}.txt`), text);
    }
    for (const pattern of ["^needle", "(?i)needle", "needle$", "x", "nowhere"]) {
      for (const mode of ["content", "files", "count"]) {
        const expected = await search(pattern, withoutRipgrep(dir), mode);
        assertEquals(await search(pattern, withRipgrep(dir), mode), expected, `${pattern} ${mode}`);
      }
    }
  },
});

Deno.test({
  name: "ripgrepFilter() hands no file to the shell or to an option, and starts rg in the sandbox, read-only",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir({ "bin/rg": `#!/bin/sh\nfor a; do printf '%s\\n' "$a"; done > "$OUT"\nexit 1\n` });
    await using work = await tempDir();
    await Deno.chmod(dir.join("bin/rg"), 0o755);
    const confined: unknown[] = [];
    const context = newToolContext({
      cwd: work.path,
      child: {
        env: { PATH: `${dir.join("bin")}:/usr/bin:/bin`, OUT: dir.join("out") },
        sandbox: (command, { network, readOnly, env }) => {
          confined.push({ network, readOnly });
          return { command: [...command], env: { ...env } };
        },
      },
    });
    const filter = await ripgrepFilter(parsePattern("-a\\$(b)", true), context);
    assertEquals(await filter?.(["/x/$(touch y)", "/x/-e"], new AbortController().signal), []);
    const args = (await Deno.readTextFile(dir.join("out"))).split("\n");
    const pattern = "--regexp=(?:\\x{2d}\\x{61}\\x{24}\\x{62})";
    assertEquals(args.slice(-6, -1), ["--ignore-case", pattern, "--", "/x/$(touch y)", "/x/-e"]);
    assertEquals(confined.at(-1), { network: false, readOnly: true });
  },
});

Deno.test({
  name: "ripgrepFilter() leaves all files when rg fails, is gone or breaks off",
  ignore: Deno.build.os === "windows",
  async fn() {
    for (const script of ["exit 2", "kill -9 $$", "printf '/x/a\\0'; exit 2"]) {
      await using dir = await tempDir({ rg: `#!/bin/sh\n${script}\n` });
      await using work = await tempDir();
      await Deno.chmod(dir.join("rg"), 0o755);
      const context = newToolContext({ cwd: work.path, child: { env: { PATH: `${dir.path}:/usr/bin:/bin` } } });
      const filter = await ripgrepFilter(parsePattern("a", false), context);
      assertEquals(await filter?.(["/x/a", "/x/b"], new AbortController().signal), ["/x/a", "/x/b"], script);
    }
  },
});

Deno.test({
  name: "ripgrepFilter() does not trust an rg that the workspace brought along",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir({ "bin/rg": "#!/bin/sh\n" });
    await Deno.chmod(dir.join("bin/rg"), 0o755);
    await Deno.symlink(dir.join("bin/rg"), dir.join("rg"));
    for (const path of [dir.join("bin"), dir.path, "bin", ""]) {
      const context = newToolContext({ cwd: dir.path, child: { env: { PATH: path } } });
      assertEquals(await ripgrepFilter(parsePattern("a", false), context), undefined, path);
    }
  },
});

Deno.test("ripgrepFilter() is not made for what rg understands differently", async () => {
  await using dir = await tempDir();
  assertEquals(await ripgrepFilter(parsePattern("a\\r", false), withRipgrep(dir)), undefined);
});

Deno.test({
  name: "ripgrepFilter() runs nothing without permission",
  permissions: { run: false, read: true, write: true },
}, async () => {
  await using dir = await tempDir();
  const context = newToolContext({ cwd: dir.path, child: { env: { PATH: "/usr/bin:/bin:/usr/local/bin" } } });
  assertEquals(await ripgrepFilter(parsePattern("a", false), context), undefined);
});
