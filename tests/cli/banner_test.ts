import { assertEquals } from "@std/assert";
import { makeStyles } from "../../src/cli/ansi.ts";
import { banner, type BannerFacts } from "../../src/cli/banner.ts";

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
  assertEquals(banner(facts, makeStyles(false)).split("\n"), [
    "mini-agent 1.2.3 · demo/demo",
    "mode ask · 9 tools · sandbox: none",
    "/home/x",
    "read-only: no --allow-write",
    "/help tells what can be typed",
  ]);
});

Deno.test("where no command can run nothing is said of a sandbox", () => {
  const { sandbox: _, ...rest } = facts;
  assertEquals(banner({ ...rest, tools: 1 }, makeStyles(false)).split("\n")[1], "mode ask · 1 tool");
});

Deno.test("the name of a folder cannot draw on the terminal", () => {
  assertEquals(banner({ ...facts, folder: "/a\x1b[2J\nb\u202e" }, makeStyles(false)).split("\n")[2], "/a b⟨U+202E⟩");
});

Deno.test("what is missing cannot draw on the terminal either: a project's words may be in it", () => {
  const rows = banner({ ...facts, missing: ['Unknown key "\x1b[2Jx\u202e"'] }, makeStyles(false)).split("\n");
  assertEquals(rows[3], 'Unknown key "x⟨U+202E⟩"');
});
