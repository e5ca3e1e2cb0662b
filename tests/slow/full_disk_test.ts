import { assertEquals, assertRejects } from "@std/assert";
import { editFile } from "../../src/tools/edit_file.ts";
import { ToolError } from "../../src/tools/tool.ts";
import { writeFile } from "../../src/tools/write_file.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

async function run(command: string, args: string[]): Promise<boolean> {
  const { success } = await new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output();
  return success;
}

/** What is in a folder, with the contents. */
function snapshot(folder: string): [string, string][] {
  return Array.from(Deno.readDirSync(folder), ({ name }): [string, string] => [
    name,
    Deno.readTextFileSync(`${folder}/${name}`),
  ]).sort();
}

Deno.test({
  name: "a full disk changes nothing",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    await using dir = await tempDir({ "disk/.keep": "" });
    const disk = dir.join("disk");
    const isMounted = await run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
    try {
      await t.step({
        name: "for an edit and for a new file, on a disk that only root may mount",
        ignore: !isMounted,
        async fn() {
          const content = `${"a line\n".repeat(50_000)}the last line\n`;
          await Deno.writeTextFile(`${disk}/a.txt`, content);
          await Deno.writeTextFile(`${disk}/filler`, "x".repeat(600_000));
          const context = newToolContext({ cwd: disk });
          const before = snapshot(disk);
          const edit = { path: "a.txt", old_string: "the last line", new_string: "no line" };
          await assertRejects(() => editFile.execute(edit, context), ToolError, "No space left on device");
          const write = { path: "new/folder/b.txt", content };
          await assertRejects(() => writeFile.execute(write, context), ToolError, "nothing was changed");
          assertEquals(snapshot(disk), before);
          await Deno.remove(`${disk}/filler`);
          await editFile.execute(edit, context);
          assertEquals(await Deno.readTextFile(`${disk}/a.txt`), content.replace("the last line", "no line"));
        },
      });
    } finally {
      if (isMounted) await run("umount", [disk]);
    }
  },
});
