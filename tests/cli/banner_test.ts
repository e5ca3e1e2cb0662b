import { assertEquals } from "@std/assert";
import { type BannerFacts, bannerRows } from "../../src/cli/banner.ts";
import { newLook } from "../testing/look.ts";

const facts: BannerFacts = {
  version: "1.2.3",
  model: "demo/demo",
  mode: "ask",
  folder: "/home/x",
  tools: 9,
  sandbox: "none",
  missing: ["read-only: no --allow-write"],
};

Deno.test("the banner tells model, mode, folder, tools, sandbox and what is missing", () => {
  assertEquals(bannerRows(facts, newLook()), [
    "mini-agent 1.2.3 · demo/demo",
    "mode ask · 9 tools · sandbox: none",
    "/home/x",
    "read-only: no --allow-write",
    "/help tells what can be typed",
  ]);
});

Deno.test("where no command can run nothing is said of a sandbox", () => {
  const { sandbox: _, ...rest } = facts;
  assertEquals(bannerRows({ ...rest, tools: 1 }, newLook())[1], "mode ask · 1 tool");
});

Deno.test("the name of a folder cannot draw on the terminal", () => {
  assertEquals(bannerRows({ ...facts, folder: "/a\x1b[2J\nb\u202e" }, newLook())[2], "/a b⟨U+202E⟩");
});

Deno.test("what is missing cannot draw on the terminal either: a project's words may be in it", () => {
  const rows = bannerRows({ ...facts, missing: ['Unknown key "\x1b[2Jx\u202e"'] }, newLook());
  assertEquals(rows[3], 'Unknown key "x⟨U+202E⟩"');
});

Deno.test("the banner breaks at blanks in a narrow terminal", () => {
  const narrow = { ...facts, model: "deepseek/deepseek-flash", sandbox: "bubblewrap" };
  assertEquals(bannerRows(narrow, newLook({ columns: 30 })).slice(0, 4), [
    "mini-agent 1.2.3 ·",
    "deepseek/deepseek-flash",
    "mode ask · 9 tools · sandbox:",
    "bubblewrap",
  ]);
});
