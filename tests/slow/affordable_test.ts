/** What safety may cost. The best of some runs counts: others work on the same machine. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { makeSandbox } from "../../src/permissions/sandbox_guard.ts";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box, FULL_GRANTS, MAIN } from "../testing/program.ts";
import { hasScript } from "../testing/pseudo_terminal.ts";
import { HAS_SANDBOX, runAs, withGround } from "../testing/sandbox_ground.ts";

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The shortest time of each, taken in turns. */
async function best(works: (() => Promise<unknown>)[], rounds = 15): Promise<number[]> {
  const times = works.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [i, work] of works.entries()) times[i] = Math.min(times[i]!, await msOf(work));
  }
  return times;
}

Deno.test({
  name: "a command in the sandbox costs at most 40 ms over a plain one, nested repositories or not",
  ignore: !HAS_SANDBOX,
  fn: () =>
    withGround({ prefix: [] }, async ({ workspace, facts, run }) => {
      const env = { PATH: "/usr/bin:/bin", HOME: workspace.home! };
      const script = "for n in 1 2 3; do git init -q nested/$n; done; mkdir -p $(seq -f 'a/%g/b' 100)";
      await run("mkdir one");
      const plain = () => runAs([])(["sh", "-c", "true"], env);
      const [bare = 0, without = 0] = await best([plain, () => run("true")]);
      await runAs([])(["sh", "-c", `cd '${workspace.cwd}' && ${script}`], env);
      const sandbox = makeSandbox(facts, workspace.roots);
      await sandbox.ready();
      const nested = async () => {
        const confined = sandbox.wrap(["sh", "-c", "true"], {
          cwd: workspace.cwd,
          network: false,
          readOnly: false,
          env,
        });
        assertEquals((await runAs([])(confined.command, confined.env)).code, 0);
        await confined.settled();
      };
      const [again = 0, withNested = 0] = await best([plain, nested]);
      assert(without - bare < 40, `${bare} ms plain, ${without} ms in the sandbox`);
      assert(withNested - again < 40, `${again} ms plain, ${withNested} ms in the sandbox with nested repositories`);
    }),
});

Deno.test("a restricted start takes at most 300 ms, and as long as an unrestricted one", async () => {
  await using box = await Box.create({ "README.md": "# Shop\n" });
  const start = (grants: string[]) => async () => {
    const { code, stderr } = await box.run(["-p", "--no-save", "hi"], { grants });
    assertEquals(code, 0, stderr);
  };
  const [restricted = 0, unrestricted = 0] = await best([start(["--allow-read"]), start(FULL_GRANTS)], 8);
  assert(restricted < 300, `${restricted} ms`);
  assert(restricted < unrestricted + 20, `${restricted} ms restricted, ${unrestricted} ms unrestricted`);
});

Deno.test("headless, a question is a denial within 100 ms", async () => {
  await using box = await Box.create();
  const times: number[] = [];
  await using service = new FakeService(
    ...["write_file", "edit_file", "read_file"].map((name, i) => () => {
      times.push(performance.now());
      const args = { path: "../x", content: "x", old_string: "a", new_string: "b" };
      return chatReply({ calls: [{ id: `c${i}`, name, args }] });
    }),
    () => {
      times.push(performance.now());
      return "Done";
    },
  );
  const env = { DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url };
  const { code } = await box.run(["-p", "--no-save", "go"], { env });
  const between = times.slice(1).map((time, i) => time - times[i]!);
  assertEquals([code, between.length], [3, 3]);
  assert(Math.min(...between) < 100, `${between} ms`); // with the request that tells the model
});

Deno.test({
  name: "with --allow-read alone Deno asks nothing in a terminal, and nothing goes to the network",
  ignore: !await hasScript(),
  async fn() {
    await using box = await Box.create({ "README.md": "# Shop\n" });
    await using service = new FakeService("reached");
    for (const env of [{}, { DEEPSEEK_API_KEY: "zebra-key-1234567890", DEEPSEEK_BASE_URL: service.url }]) {
      const words = [
        Deno.execPath(),
        "run",
        "-q",
        "--no-check",
        "--cached-only",
        "--allow-read",
        MAIN,
        "-p",
        "what is here?",
      ];
      const { stdout } = await new Deno.Command("script", {
        args: ["-qfec", `cd '${box.project}'; ${words.map((word) => `'${word}'`).join(" ")}`, "/dev/null"],
        env: { HOME: box.home(), SHELL: "/bin/sh", ...env },
        stdin: "null",
      }).output();
      const screen = new TextDecoder().decode(stdout);
      assert(!screen.includes("Deno requests"), screen);
      assertStringIncludes(screen, "no --allow-write");
    }
    assertEquals(service.requests, []);
  },
});
