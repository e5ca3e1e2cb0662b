import { assertEquals, assertStringIncludes } from "@std/assert";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

const READ = ["list_files", "read_file", "find_files", "search_files"];
const WRITE = ["write_file", "edit_file"];
const RUN = ["run_command", "poll_command"];
const ALWAYS = ["update_todos", "run_agent"];

/** Launch lines: Deno's flags, the tools that are offered, and a line that stderr must hold. `DIR` is the project. */
const LINES: [flags: string[], mode: string, tools: string[], said?: string][] = [
  [["--allow-read"], "full", [...READ, ...ALWAYS], "read-only: no --allow-write"],
  [["--allow-read=DIR"], "full", [...READ, ...ALWAYS], "no commands: no --allow-run"],
  [["--allow-read", "--allow-write"], "full", [...READ, ...WRITE, ...ALWAYS], "no network: no --allow-net"],
  [["--allow-read=DIR", "--allow-write=DIR"], "full", [...READ, ...WRITE, ...ALWAYS]],
  [["--allow-read", "--allow-write=/somewhere/else"], "full", [...READ, ...ALWAYS], "read-only: no --allow-write"],
  [["--allow-read", "--allow-write", "--deny-write"], "full", [...READ, ...ALWAYS], "read-only: --deny-write"],
  [["--allow-read", "--allow-write", "--deny-write=DIR/private"], "full", [...READ, ...WRITE, ...ALWAYS]],
  [["--allow-read", "--allow-run"], "full", [...READ, ...RUN, ...ALWAYS]],
  [["--allow-read", "--allow-run=sh"], "full", [...READ, ...RUN, ...ALWAYS]],
  [["--allow-read", "--allow-run=git"], "full", [...READ, ...ALWAYS], "no commands: no --allow-run"],
  [["--allow-read", "--allow-net"], "full", [...READ, "fetch_url", ...ALWAYS]],
  [
    ["--allow-read", "--allow-write", "--allow-net", "--allow-env"],
    "plan",
    [...READ, "fetch_url", ...ALWAYS],
    "read-only: plan mode",
  ],
];

for (const [flags, mode, tools, said] of LINES) {
  Deno.test(`mini-agent --mode ${mode} under ${flags.join(" ")} offers ${tools.length} tools`, async () => {
    await using box = await Box.create({ "README.md": "# Shop\n" });
    const { code, stdout, stderr } = await box.run(
      ["-p", "--no-save", "--mode", mode, "--output-format", "stream-json", "what is here?"],
      { grants: flags.map((flag) => flag.replace("DIR", box.project)) },
    );
    assertEquals(code, 0, stderr);
    assertEquals(JSON.parse(stdout.split("\n")[0]!).tools, tools);
    if (said !== undefined) assertStringIncludes(stderr, said);
  });
}

Deno.test("mini-agent with read, one host and one key is a read-only agent on a real model", async () => {
  await using box = await Box.create({ "a.txt": "alpha\n" });
  await using service = new FakeService(
    chatReply({ calls: [{ id: "c1", name: "read_file", args: { path: "a.txt" } }] }),
    "It says alpha",
  );
  const host = new URL(service.url).host;
  const { code, stdout } = await box.run(["-p", "--base-url", service.url, "read it"], {
    grants: ["--allow-read", `--allow-net=${host}`, "--allow-env=DEEPSEEK_API_KEY"],
    env: { DEEPSEEK_API_KEY: "test-key-1234567890" },
  });
  assertEquals([code, stdout], [0, "It says alpha\n"]);
  const offered = service.requests[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  assertEquals(offered, [...READ, ...ALWAYS]);
});

Deno.test("mini-agent without the model's host says which flag is missing", async () => {
  await using box = await Box.create();
  const { code, stderr } = await box.run(["-p", "hi"], {
    grants: ["--allow-read", "--allow-env"],
    env: { DEEPSEEK_API_KEY: "test-key-1234567890" },
  });
  assertEquals(code, 2);
  assertStringIncludes(stderr, "--allow-net=api.deepseek.com:443");
});
