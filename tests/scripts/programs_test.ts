import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { buildsFor, MINI_AGENT, MINI_AGENT_RO, TARGETS } from "../../scripts/programs.ts";

const read = (path: string) => Deno.readTextFile(new URL(`../../${path}`, import.meta.url));

/** The allow flags of a command line with their values, sorted. */
function grants(flags: readonly string[]): string[] {
  return flags.filter((flag) => flag.startsWith("--allow-")).toSorted();
}

Deno.test("mini-agent may read, write, run, use the network and the environment, and nothing else", () => {
  assertEquals(grants(MINI_AGENT.flags), [
    "--allow-env",
    "--allow-net",
    "--allow-read",
    "--allow-run",
    "--allow-write",
  ]);
  for (const flag of ["--no-prompt", "--cached-only", "--no-npm", "--deny-net=169.254.0.0/16"]) {
    assert(MINI_AGENT.flags.includes(flag), flag);
  }
});

Deno.test("mini-agent-ro can neither write nor run, and reaches only the providers and this machine", () => {
  const { flags } = MINI_AGENT_RO;
  assertEquals(grants(flags).map((flag) => flag.split("=")[0]), ["--allow-env", "--allow-net", "--allow-read"]);
  for (const flag of ["--deny-write", "--deny-run", "--deny-ffi", "--no-prompt", "--cached-only", "--no-npm"]) {
    assert(flags.includes(flag), flag);
  }
  const net = "--allow-net=api.deepseek.com,api.openai.com,api.anthropic.com,127.0.0.1,localhost,[::1]";
  assert(flags.includes(net), "its hosts");
  const env = flags.find((flag) => flag.startsWith("--allow-env="))!.slice("--allow-env=".length).split(",");
  for (const name of ["DEEPSEEK_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "AGENT_MODEL", "HOME", "XDG_*"]) {
    assert(env.includes(name), name);
  }
  assert(!env.includes("PATH") && !env.includes("*"), "not all of the environment");
});

Deno.test("buildsFor() compiles both programs and never grants everything", () => {
  for (const target of TARGETS) {
    const builds = buildsFor({ target, inName: true });
    const end = target.includes("windows") ? ".exe" : "";
    assertEquals(builds.map((build) => build.output), [
      `mini-agent-${target}${end}`,
      `mini-agent-ro-${target}${end}`,
    ]);
    for (const { args, output } of builds) {
      assertEquals(args[0], "compile");
      assertEquals(args.at(-1), "main.ts");
      assertEquals(args.slice(-5, -1), ["--target", target, "--output", `dist/${output}`]);
      for (const flag of ["-A", "--allow-all", "--allow-ffi", "--allow-sys", "--allow-import"]) {
        assert(!args.some((arg) => arg === flag || arg.startsWith(`${flag}=`)), `${flag} in ${output}`);
      }
    }
  }
});

Deno.test("the start task and run.sh start with the flags of the mini-agent executable", async () => {
  const flags = MINI_AGENT.flags.join(" ");
  const { tasks } = JSON.parse(await read("deno.json"));
  assertStringIncludes(tasks.start.command, `deno run --quiet --unstable-lazy-dynamic-imports ${flags} --config`);
  assertStringIncludes(
    (await read("scripts/run.sh")).replaceAll("\\\n  ", ""),
    `run --quiet --unstable-lazy-dynamic-imports ${flags} --config`,
  );
});

Deno.test("no task grants everything, and the tests reach only this machine", async () => {
  const { tasks } = JSON.parse(await read("deno.json"));
  for (const [name, { command }] of Object.entries<{ command: string }>(tasks)) {
    assert(!/(^| )(-A|--allow-all|--allow-ffi)( |$)/.test(command), name);
  }
  for (const name of ["test", "test:slow", "bench"]) {
    assertEquals(tasks[name].command.match(/--allow-net\S*/g), ["--allow-net=127.0.0.1,localhost"]);
  }
});
