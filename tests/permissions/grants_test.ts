import { assertEquals, assertThrows } from "@std/assert";
import { dirname } from "@std/path/dirname";
import { fromFileUrl } from "@std/path/from-file-url";
import type { Grants, GrantScope } from "../../src/permissions/grants.ts";
import {
  compileLine,
  launchFlags,
  launchLine,
  type LaunchOptions,
  permissionSet,
} from "../../src/permissions/launch.ts";
import { revocable } from "../../src/permissions/revocable.ts";
import { missingForModel, supplyTools, type ToolNeeds } from "../../src/permissions/tool_needs.ts";

const HOST = "api.deepseek.com:443";
const MODULE = new URL("../../src/permissions/grants.ts", import.meta.url).href;
const CONFIG = fromFileUrl(new URL("../../deno.json", import.meta.url));

interface Probe {
  /** What the child is told about. */
  scope?: Partial<GrantScope>;
  /** What it gives up first. */
  revoke?: Deno.PermissionDescriptor[];
  /** Flags before the script. */
  flags: string[];
}

/** A folder with a script that prints what it holds when started by `deno run`. */
async function withProbe(run: (probe: (probe: Probe) => Promise<Grants>, cwd: string) => Promise<void>): Promise<void> {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const script = `${cwd}/probe.ts`;
  await Deno.writeTextFile(
    script,
    `import { readGrants, revoke } from ${JSON.stringify(MODULE)};
     const { scope, descriptors } = JSON.parse(Deno.args[0]);
     revoke(descriptors);
     console.log(JSON.stringify(readGrants(scope)));`,
  );
  try {
    await run(async ({ flags, scope = {}, revoke = [] }) => {
      const whole = { cwd, roots: [cwd], programs: ["sh", "git"], hosts: [HOST], variables: ["HOME"], ...scope };
      const args = ["run", "-c", CONFIG, ...flags, script, JSON.stringify({ scope: whole, descriptors: revoke })];
      // a terminal is absent here; a prompt would end in an error and no output
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
      const text = new TextDecoder().decode(stdout);
      if (text === "") throw new Error(new TextDecoder().decode(stderr));
      return JSON.parse(text);
    }, cwd);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

/** `read write run net env`: the first letter of each reach, `!` where something is denied. */
function summary({ read, write, run, net, env }: Grants): string {
  return [read, write, run, net, env].map(({ reach, restricted }) => reach[0] + (restricted ? "!" : "")).join(" ");
}

Deno.test("readGrants() understands full, scoped, denied and partial grants", () =>
  withProbe(async (probe, cwd) => {
    const table: [flags: string, summary: string, lists: [roots: number, programs: string, hosts: number]][] = [
      ["", "n n n n n", [0, "", 0]],
      ["-A", "e e e e e", [1, "sh git", 1]],
      ["--allow-read", "e n n n n", [0, "", 0]],
      [`--allow-read=${cwd}`, "s n n n n", [0, "", 0]],
      [`--allow-read=${cwd} --allow-write=${cwd}`, "s s n n n", [1, "", 0]],
      [`--allow-read=${dirname(cwd)} --deny-read=${cwd}/x`, "s! n n n n", [0, "", 0]],
      ["--allow-read --deny-read", "n! n n n n", [0, "", 0]],
      [`--allow-write --deny-write=${cwd}`, "n e! n n n", [0, "", 0]],
      [`--allow-write --deny-write=${cwd}/.git`, "n e! n n n", [1, "", 0]],
      ["--allow-run=git --allow-net=api.deepseek.com", "n n s s n", [0, "git", 1]],
      ["--allow-run --deny-run=sh --allow-net --deny-net=169.254.0.0/16", "n n e! e! n", [0, "git", 1]],
      [`--allow-net=${HOST} --deny-net=${HOST} --allow-env=HOME`, "n n n n! s", [0, "", 0]],
      ["--allow-net=other.example --allow-env=PATH", "n n n n n", [0, "", 0]],
      ["--allow-env --deny-env=HOME", "n n n n e!", [0, "", 0]],
    ];
    for (const [flags, expected, [roots, programs, hosts]] of table) {
      const grants = await probe({ flags: ["--no-prompt", ...flags.split(" ").filter(Boolean)] });
      assertEquals([flags, summary(grants)], [flags, expected]);
      const lists = [grants.writableRoots.length, grants.programs.join(" "), grants.hosts.length];
      assertEquals([flags, ...lists], [flags, roots, programs, hosts]);
    }
  }));

const tools: ToolNeeds[] = [
  { name: "read_file", access: "read", needs: ["read"] },
  { name: "write_file", access: "write", needs: ["write"] },
  { name: "edit_file", access: "write", needs: ["read", "write"] },
  { name: "run_command", access: "execute", needs: ["run"] },
  { name: "fetch_url", access: "network", needs: ["net"] },
  { name: "update_todos", access: "none", needs: [] },
];

function holding(changes: Partial<Grants>): Grants {
  const all = { reach: "everywhere", restricted: false } as const;
  const whole = { read: all, write: all, run: all, net: all, env: all };
  return { ...whole, writableRoots: ["/w"], programs: ["sh", "bwrap"], hosts: [HOST], ...changes };
}

const none = { reach: "none", restricted: false } as const;
const scoped = { reach: "scoped", restricted: false } as const;
const usual = { mode: "ask", shell: "sh", sandboxed: false, providerHost: HOST } as const;

Deno.test("supplyTools() offers every tool that the grants and the mode leave", () => {
  assertEquals(supplyTools(holding({}), tools, usual), { offered: tools.map(({ name }) => name), missing: [] });
  const plan = supplyTools(holding({}), tools, { ...usual, mode: "plan" });
  assertEquals(plan.offered, ["read_file", "fetch_url", "update_todos"]);
  assertEquals(plan.missing, [
    { tools: ["write_file", "edit_file"], text: "read-only: plan mode" },
    { tools: ["run_command"], text: "no commands: plan mode without a sandbox" },
  ]);
  const confined = supplyTools(holding({}), tools, { ...usual, mode: "plan", sandboxed: true, shell: "bwrap" });
  assertEquals(confined.offered, ["read_file", "run_command", "fetch_url", "update_todos"]);
});

Deno.test("supplyTools() names the one flag that is missing, or that took a tool away", () => {
  const text = (grants: Partial<Grants>) =>
    supplyTools(holding(grants), tools, usual).missing.map((missing) => `${missing.tools.join()}: ${missing.text}`);
  assertEquals(text({ write: none, writableRoots: [] }), ["write_file,edit_file: read-only: no --allow-write"]);
  assertEquals(text({ run: scoped, programs: ["git"] }), ["run_command: no commands: no --allow-run"]);
  assertEquals(text({ net: none, hosts: [] }), ["fetch_url: no network: no --allow-net"]);
  assertEquals(text({ net: scoped }), ["fetch_url: no network but the model's: no other --allow-net"]);
  assertEquals(text({ net: scoped, hosts: [HOST, "docs.example"] }), []);
  const denied = { reach: "everywhere", restricted: true } as const;
  assertEquals(text({ write: denied, writableRoots: [] }), ["write_file,edit_file: read-only: --deny-write"]);
  assertEquals(text({ net: denied }), []);
});

Deno.test("missingForModel() names the flag for the model's host", () => {
  assertEquals(missingForModel(holding({}), HOST), undefined);
  assertEquals(missingForModel(holding({ net: scoped }), HOST), undefined);
  assertEquals(missingForModel(holding({ net: none, hosts: [] }), HOST), `no model: no --allow-net=${HOST}`);
});

function options(cwd: string, changes: Partial<LaunchOptions> = {}): LaunchOptions {
  return {
    program: "/opt/mini agent/main.ts",
    form: "source",
    roots: [cwd],
    readable: ["/home/u/.config/mini-agent"],
    writable: ["/home/u/.local/state/mini-agent"],
    hosts: [HOST],
    variables: ["HOME", "LC_*"],
    programs: ["sh", "git"],
    ...changes,
  };
}

Deno.test("launchFlags() give each mode what it needs and nothing else, and work as printed", () =>
  withProbe(async (probe, cwd) => {
    const table: ["plan" | "ask" | "edit" | "full", string, number, string][] = [
      ["plan", "s n n s s", 0, ""],
      ["ask", "s s s s s", 1, "sh git"],
      ["edit", "s s s s s", 1, "sh git"],
      ["full", "e e e e! e", 1, "sh git"],
    ];
    for (const [mode, expected, roots, programs] of table) {
      const flags = launchFlags(mode, options(cwd));
      const grants = await probe({ flags });
      const found = [mode, summary(grants), grants.writableRoots.length, grants.programs.join(" ")];
      assertEquals(found, [mode, expected, roots, programs]);
      const metadata = await probe({ flags, scope: { hosts: ["169.254.169.254"] } });
      assertEquals(metadata.hosts, []);
    }
  }));

Deno.test("permissionSet() grants what the flags grant, also to a folder with a comma in its name", () =>
  withProbe(async (probe, cwd) => {
    const odd = `${cwd}/a,b`;
    await Deno.mkdir(odd);
    const { imports } = JSON.parse(await Deno.readTextFile(CONFIG));
    const permissions = Object.fromEntries(
      (["plan", "edit", "full"] as const).map((mode) => [mode, permissionSet(mode, options(odd))]),
    );
    const config = `${cwd}/deno.json`;
    await Deno.writeTextFile(config, JSON.stringify({ imports, vendor: false, permissions }));
    const scope = { cwd: odd, roots: [odd] };
    for (const [mode, expected] of [["plan", "s n n s s"], ["edit", "s s s s s"], ["full", "e e e e! e"]]) {
      const grants = await probe({ scope, flags: ["-c", config, "--no-prompt", "--cached-only", `-P=${mode}`] });
      assertEquals([mode, summary(grants)], [mode, expected]);
    }
    assertThrows(() => launchFlags("ask", options(odd)), RangeError, "cannot hold a comma");
  }));

Deno.test("no line that is printed prompts, loads remote code or holds more than the mode needs", () => {
  for (const mode of ["plan", "ask", "edit", "full"] as const) {
    for (const form of ["source", "bundle"] as const) {
      const all = options("/w", { form });
      for (const line of [launchLine(mode, all), compileLine(mode, { ...all, output: "dist/x" })]) {
        const flags = line.split(" ").filter((word) => word.startsWith("-"));
        assertEquals(flags.includes("--no-prompt"), true, line);
        assertEquals(flags.includes(form === "source" ? "--cached-only" : "--no-remote"), true, line);
        assertEquals(line.startsWith("deno run --quiet "), line === launchLine(mode, all), line);
        assertEquals(flags.some((flag) => /^(?:-A|--allow-all|--allow-(?:ffi|sys|import))/.test(flag)), false, line);
        assertEquals(line.endsWith(" '/opt/mini agent/main.ts'"), true, line);
      }
    }
  }
});

Deno.test("launchFlags() start nothing but the sandbox in plan mode, and nothing at all without one", () => {
  const run = (sandbox?: string) =>
    launchFlags("plan", options("/w", sandbox === undefined ? {} : { sandbox })).filter((flag) => flag.includes("run"));
  assertEquals(run(), []);
  assertEquals(run("/usr/bin/bwrap"), ["--allow-run=/usr/bin/bwrap"]);
  const unkept = launchFlags("plan", options("/w", { writable: [] }));
  assertEquals(unkept.some((flag) => flag.startsWith("--allow-write")), false);
});

Deno.test("revocable() takes from a headless plan run every way to write or start something", () =>
  withProbe(async (probe, cwd) => {
    const flags = ["--no-prompt", `--allow-read=${cwd}`, `--allow-write=${cwd},/data`, "--allow-run", "--allow-env"];
    const plan = { fixed: true, saving: true, runs: false, roots: [cwd] };
    const saved = await probe({ flags, revoke: revocable("plan", plan), scope: { roots: [cwd, "/data"] } });
    assertEquals([summary(saved), saved.writableRoots], ["s s n n n", ["/data"]]);
    const unsaved = await probe({ flags, revoke: revocable("plan", { ...plan, saving: false, runs: true }) });
    assertEquals(summary(unsaved), "s n e n n");
    const open = await probe({ flags, revoke: revocable("plan", { ...plan, fixed: false }) });
    assertEquals(summary(open), "s s e n n");
    assertEquals(summary(await probe({ flags, revoke: revocable("edit", plan) })), "s s e n n");
  }));
