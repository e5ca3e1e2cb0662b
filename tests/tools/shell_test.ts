import { assertEquals } from "@std/assert";
import { startShell } from "../../src/tools/shell.ts";

Deno.test("startShell() hands the text to sh behind what joins the two outputs", () => {
  const { command, merged } = startShell("echo $HOME; exit", "linux");
  assertEquals(command, ["sh", "-c", "exec 2>&1; echo $HOME; exit", "sh"]);
  assertEquals(merged, true);
});

Deno.test("startShell() hands the text to cmd on Windows, quoted as cmd wants it", () => {
  assertEquals(startShell('echo "a b" & dir', "windows"), {
    command: ["cmd", "/d", "/s", "/c", '"echo "a b" & dir"'],
    rawArguments: true,
    merged: false,
  });
});
