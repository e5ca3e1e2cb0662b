import { assertEquals, assertRejects } from "@std/assert";
import { writeAtomically } from "../../src/tools/atomic_write.ts";
import { tempDir } from "../testing/tool_context.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const namesIn = (folder: string) => Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
const leftover = ".mini-agent-00000000-0000-4000-8000-000000000000.tmp";

Deno.test("writeAtomically() replaces a file by another one and leaves nothing beside it", async () => {
  await using dir = await tempDir({ a: "old" });
  const before = await Deno.stat(dir.join("a"));
  await writeAtomically(dir.join("a"), bytesOf("new"), before);
  assertEquals(await Deno.readTextFile(dir.join("a")), "new");
  assertEquals(namesIn(dir.path), ["a"]);
});

Deno.test("writeAtomically() does not overwrite what someone else has put there meanwhile", async () => {
  await using dir = await tempDir({ a: "old" });
  const before = await Deno.stat(dir.join("a"));
  await Deno.writeTextFile(dir.join("a"), "theirs");
  await assertRejects(() => writeAtomically(dir.join("a"), bytesOf("ours"), before), Deno.errors.Busy);
  await assertRejects(() => writeAtomically(dir.join("a"), bytesOf("ours"), undefined), Deno.errors.Busy);
  assertEquals(await Deno.readTextFile(dir.join("a")), "theirs");
  assertEquals(namesIn(dir.path), ["a"]);
});

Deno.test("writeAtomically() does not bring back what someone else has removed", async () => {
  await using dir = await tempDir({ a: "old" });
  const before = await Deno.stat(dir.join("a"));
  await Deno.remove(dir.join("a"));
  await assertRejects(() => writeAtomically(dir.join("a"), bytesOf("ours"), before), Deno.errors.Busy);
  assertEquals(namesIn(dir.path), []);
});

Deno.test("writeAtomically() removes its temporary file when it fails at the end", async () => {
  await using dir = await tempDir({ "a/inner": "" });
  const before = await Deno.lstat(dir.join("a"));
  await assertRejects(() => writeAtomically(dir.join("a"), bytesOf("x"), before)); // a folder cannot be replaced
  assertEquals(namesIn(dir.path), ["a"]);
});

Deno.test("writeAtomically() removes what a killed process has left in the folder", async () => {
  await using dir = await tempDir({ [leftover]: "half", ".mini-agent-mine.tmp": "a file of the user" });
  await writeAtomically(dir.join("a"), bytesOf("x"), undefined);
  assertEquals(namesIn(dir.path), [".mini-agent-mine.tmp", "a"]);
});

Deno.test("writeAtomically() leaves the temporary file of a process that lives", async () => {
  await using dir = await tempDir({ [leftover]: "half" });
  using file = await Deno.open(dir.join(leftover), { write: true });
  await file.lock(true);
  await writeAtomically(dir.join("a"), bytesOf("x"), undefined);
  assertEquals(namesIn(dir.path), [leftover, "a"]);
});

Deno.test({
  name: "writeAtomically() gives a new file the mode that the user's mask says, and keeps the one of an old file",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir({ reference: "", secret: "old" });
    await Deno.chmod(dir.join("secret"), 0o600);
    await writeAtomically(dir.join("new"), bytesOf("x"), undefined);
    const modeOf = async (name: string) => (await Deno.stat(dir.join(name))).mode! & 0o7777;
    assertEquals(await modeOf("new"), await modeOf("reference"));
    await writeAtomically(dir.join("secret"), bytesOf("x"), await Deno.stat(dir.join("secret")));
    assertEquals(await modeOf("secret"), 0o600);
  },
});

Deno.test({
  name: "writeAtomically() keeps the owner of a file",
  ignore: Deno.build.os === "windows",
  async fn(t) {
    await using dir = await tempDir({ a: "old" });
    const { uid: self } = await Deno.stat(dir.join("a"));
    await t.step({
      name: "as root, who alone may give files away",
      ignore: self !== 0,
      async fn() {
        await Deno.chown(dir.join("a"), 1234, 2345);
        await Deno.chmod(dir.join("a"), 0o4755);
        await writeAtomically(dir.join("a"), bytesOf("new"), await Deno.stat(dir.join("a")));
        const { uid, gid, mode } = await Deno.stat(dir.join("a"));
        assertEquals([uid, gid, mode! & 0o7777], [1234, 2345, 0o4755]);
      },
    });
  },
});

Deno.test({
  name: "writeAtomically() never writes in place, not even in a folder that takes no new files",
  ignore: Deno.build.os === "windows",
  async fn(t) {
    await using dir = await tempDir({ "folder/a": "old" });
    const before = await Deno.stat(dir.join("folder/a"));
    await Deno.chmod(dir.join("folder"), 0o555);
    await t.step({
      name: "as a user whom the folder's mode holds back",
      ignore: before.uid === 0,
      async fn() {
        await assertRejects(
          () => writeAtomically(dir.join("folder/a"), bytesOf("new"), before),
          Deno.errors.PermissionDenied,
          "its folder takes no new files",
        );
        assertEquals(await Deno.readTextFile(dir.join("folder/a")), "old");
      },
    });
    await Deno.chmod(dir.join("folder"), 0o755);
  },
});
