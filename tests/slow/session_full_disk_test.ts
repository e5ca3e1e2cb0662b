import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

async function run(command: string, args: string[]): Promise<boolean> {
  const { success } = await new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output();
  return success;
}

/** A program whose data is on a disk of one MiB; undefined where only root may mount one. */
async function withSmallDisk(test: (box: Box, disk: string) => Promise<void>): Promise<void> {
  await using box = await Box.create({ "a.txt": "one\n" });
  const disk = box.home("disk");
  await Deno.mkdir(disk);
  if (!await run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk])) return;
  try {
    await test(box, disk);
  } finally {
    await run("umount", [disk]);
  }
}

const linux = { ignore: Deno.build.os !== "linux" };

Deno.test(
  "a full disk damages no session: it is told once, the run fails, and with space it goes on",
  linux,
  async () => {
    await withSmallDisk(async (box, disk) => {
      const edit = chatReply({
        calls: [{ id: "c1", name: "edit_file", args: { path: "a.txt", old_string: "one", new_string: "two" } }],
      });
      await using service = new FakeService("One", edit, "Two", "Three");
      const env = { DEEPSEEK_API_KEY: "test-key-1234567890", DEEPSEEK_BASE_URL: service.url, XDG_STATE_HOME: disk };
      const start = (...args: string[]) => box.run(["-p", "--mode", "edit", ...args], { env });
      assertEquals((await start("first")).code, 0);
      await Deno.writeFile(`${disk}/filler`, new Uint8Array(2 ** 20)).catch(() => {});
      const full = await start("-c", `second ${"x".repeat(8000)}`);
      assertEquals(full.code, 1);
      assertEquals(full.stderr.match(/Cannot save the session: No space left on device/g)?.length, 1);
      assertEquals(await Deno.readTextFile(box.path("a.txt")), "one\n"); // what cannot be noted is not done
      await Deno.remove(`${disk}/filler`);
      const { code, stdout, stderr } = await start("-c", "third");
      assertEquals([code, stdout], [0, "Three\n"]);
      assert(!/damaged/.test(stderr), stderr);
      const request = service.requests.at(-1)!.body.messages;
      assertEquals(request.slice(1, 3).map(({ content }: { content: string }) => content), ["first", "One"]);
      assertMatch(request.at(-1).content, /third$/);
      const [name = ""] = Array.from(Deno.readDirSync(`${disk}/mini-agent/sessions`), ({ name }) => name)
        .filter((name) => name.endsWith(".jsonl"));
      const text = await Deno.readTextFile(`${disk}/mini-agent/sessions/${name}`);
      for (const line of text.trimEnd().split("\n")) JSON.parse(line);
      assertStringIncludes(text, "third");
    });
  },
);
