import { assertEquals } from "@std/assert";
import { isUnreadable, prefixOf } from "../../src/tools/tree_access.ts";
import { tempDir } from "../testing/tool_context.ts";

async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

Deno.test("isUnreadable() holds for what Deno and the system refuse, whatever the reason", async () => {
  await using dir = await tempDir({ file: "" });
  assertEquals(isUnreadable(new Deno.errors.NotCapable("no")), true);
  assertEquals(isUnreadable(await errorOf(() => Deno.openSync(dir.join("nope")))), true);
  assertEquals(isUnreadable(await errorOf(() => Deno.readDirSync(dir.join("file")))), true);
  assertEquals(isUnreadable(await errorOf(() => Deno.openSync(dir.join("x".repeat(300))))), true);
});

Deno.test("isUnreadable() does not hold for an interruption or a mistake of ours", async () => {
  assertEquals(isUnreadable(await errorOf(() => AbortSignal.abort().throwIfAborted())), false);
  assertEquals(isUnreadable(await errorOf(() => new Uint8Array(-1))), false);
});

Deno.test("prefixOf() ends with one slash, at the root too", () => {
  assertEquals([prefixOf("/a"), prefixOf("/")], ["/a/", "/"]);
});
