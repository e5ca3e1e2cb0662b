import { assertEquals } from "@std/assert";
import { endTreeCommand } from "../../src/tools/process_tree.ts";

const tree = { pids: [11, 12], mark: "MARK=1.", graceMs: 2000 };

Deno.test("endTreeCommand() hands the mark, the grace and the groups to sh as arguments", () => {
  const [shell, flag, , ...rest] = endTreeCommand(tree, "darwin");
  assertEquals([shell, flag, ...rest], ["sh", "-c", "sh", "MARK=1.", "20", "11", "12"]);
});

Deno.test("endTreeCommand() ends trees by taskkill on Windows", () => {
  assertEquals(endTreeCommand(tree, "windows"), ["taskkill", "/t", "/f", "/pid", "11", "/pid", "12"]);
});
