// Installs and builds for real, in copies of the checkout whose paths have spaces. Dependencies come over the network.
import { copy } from "@std/fs/copy";
import { exists } from "@std/fs/exists";
import { dirname, fromFileUrl, join } from "@std/path";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const PATH = `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`;

interface Checkout extends AsyncDisposable {
  root: string;
  /** Another folder, where the user is. */
  elsewhere: string;
}

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** A copy of the checkout as it is right after cloning, with a small program in place of the agent. */
async function freshCheckout(options: { keep?: string[] } = {}): Promise<Checkout> {
  const top = await Deno.makeTempDir({ prefix: "mini agent " });
  const root = join(top, "my checkout");
  const elsewhere = join(top, "else where");
  await Deno.mkdir(root);
  await Deno.mkdir(elsewhere);
  for (const name of ["deno.json", "scripts", ...options.keep ?? []]) await copy(join(ROOT, name), join(root, name));
  if (!options.keep?.includes("main.ts")) {
    const program = `import { parseArgs } from "@std/cli/parse-args";
import { exists } from "@std/fs";
if (import.meta.main) console.log(JSON.stringify([Deno.cwd(), parseArgs(Deno.args)._, await exists("nowhere")]));
`;
    await Deno.writeTextFile(join(root, "main.ts"), program);
  }
  return { root, elsewhere, [Symbol.asyncDispose]: () => Deno.remove(top, { recursive: true }) };
}

async function run(cwd: string, command: string[], env: Record<string, string> = {}): Promise<Result> {
  const [program, ...args] = command;
  const output = await new Deno.Command(program!, { args, cwd, env: { PATH, NO_COLOR: "1", ...env }, stdin: "null" })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, stdout: text(output.stdout), stderr: text(output.stderr) };
}

Deno.test("run.sh fetches the dependencies once, and runs in the caller's folder with all arguments", async () => {
  await using checkout = await freshCheckout();
  const { root, elsewhere } = checkout;
  const start = ["sh", join(root, "scripts/run.sh"), "one two", "$HOME"];
  const first = await run(elsewhere, start);
  assertEquals(first.code, 0, first.stderr);
  assertEquals(JSON.parse(first.stdout), [elsewhere, ["one two", "$HOME"], false]);
  assertMatch(first.stderr, /^mini-agent: getting the dependencies from JSR$/m);
  const second = await run(elsewhere, start);
  assertEquals(second, { code: 0, stdout: first.stdout, stderr: "" });
  const task = [
    "env",
    "-u",
    "INIT_CWD",
    "deno",
    "task",
    "-q",
    "--config",
    join(root, "deno.json"),
    "start",
    "one two",
    "$HOME",
  ];
  assertEquals(await run(elsewhere, task), second);
});

Deno.test("test.sh passes the tests of a fresh checkout, wherever it is called", async () => {
  await using checkout = await freshCheckout();
  const { root, elsewhere } = checkout;
  await Deno.mkdir(join(root, "src"));
  await Deno.mkdir(join(root, "tests"));
  const test = 'import { assert } from "@std/assert";\nDeno.test("a", () => assert(true));\n';
  await Deno.writeTextFile(join(root, "tests/a_test.ts"), test);
  const { code, stdout, stderr } = await run(elsewhere, ["sh", join(root, "scripts/test.sh")]);
  assertEquals(code, 0, stderr);
  assertMatch(stdout, /^ok \| 1 passed \| 0 failed/m);
});

Deno.test("a Deno on PATH that is too old is passed over, and looked at only once", async () => {
  await using checkout = await freshCheckout({ keep: ["vendor"] });
  const { root, elsewhere } = checkout;
  const count = join(elsewhere, "count");
  const old = join(elsewhere, "deno");
  await Deno.writeTextFile(old, `#!/bin/sh\necho x >>"${count}"\necho "deno 2.8.9 (stable)"\n`, { mode: 0o755 });
  await Deno.mkdir(join(root, ".deno/bin"), { recursive: true });
  await Deno.writeTextFile(join(root, ".deno/bin/deno"), '#!/bin/sh\necho "own $1"\n', { mode: 0o755 });
  for (let time = 0; time < 2; time++) {
    const env = { PATH: `${elsewhere}:${PATH}` };
    assertEquals((await run(elsewhere, ["sh", join(root, "scripts/run.sh")], env)).stdout, "own run\n");
  }
  assertEquals(await Deno.readTextFile(count), "x\n");
});

Deno.test("files that are not the pinned ones are refused, and no half dependency folder is left", async () => {
  await using checkout = await freshCheckout();
  const { root } = checkout;
  // A registry whose tarball fits its own promise, not ours; as JSR it has nothing.
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname, origin } = new URL(request.url);
    const tarball = new TextEncoder().encode("not the real one");
    if (pathname.endsWith(".tgz")) return new Response(tarball);
    if (!pathname.startsWith("/deno-std")) return new Response("", { status: 404 });
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", tarball)).toBase64();
    const dist = { tarball: `${origin}/deno-std.tgz`, integrity: `sha512-${digest}` };
    const versions = { "1.4.0": { name: "deno-std", version: "1.4.0", dist } };
    return Response.json({ name: "deno-std", "dist-tags": { latest: "1.4.0" }, versions });
  });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const env = { JSR_URL: url, npm_config_registry: url, npm_config_cache: join(root, "npm cache") };
  const { code, stderr } = await run(root, ["deno", "task", "-q", "vendor"], env);
  await server.shutdown();
  assertEquals(code, 1);
  assertStringIncludes(stderr, "Cannot use deno-std@1.4.0: its integrity is sha512-");
  assertEquals(await exists(join(root, "vendor")), false);
});

Deno.test("a set-up that is killed leaves no dependency folder, and the next one works", async () => {
  await using checkout = await freshCheckout();
  const { root } = checkout;
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<Response>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    asked.resolve();
    return released.promise; // until then, a JSR that never answers
  });
  const child = new Deno.Command("deno", {
    args: ["run", "-q", "--allow-read", "--allow-write", "--allow-run", "--allow-env", "scripts/vendor.ts"],
    cwd: root,
    env: { PATH, JSR_URL: `http://127.0.0.1:${server.addr.port}/` },
    stderr: "null",
  }).spawn();
  await asked.promise;
  child.kill("SIGKILL");
  await child.status;
  released.resolve(new Response("", { status: 404 }));
  await server.shutdown();
  assertEquals(await exists(join(root, "vendor")), false);
  const { code, stderr } = await run(root, ["deno", "task", "-q", "vendor"]);
  assertEquals(code, 0, stderr);
  assert(await exists(join(root, "vendor/.filled-1")));
});

Deno.test("the bundle is one file that runs anywhere under plain deno run", async () => {
  await using checkout = await freshCheckout({ keep: ["vendor", "main.ts", "src"] });
  const { root, elsewhere } = checkout;
  const { code, stdout, stderr } = await run(root, ["deno", "task", "-q", "bundle"]);
  assertEquals([code, stdout], [0, "dist/mini-agent.js\n"], stderr);
  const alone = join(elsewhere, "mini-agent.js");
  await Deno.rename(join(root, "dist/mini-agent.js"), alone);
  assertEquals(
    /[^\0-\x7f]/.exec(await Deno.readTextFile(alone))?.[0],
    undefined,
    "it starts slower with such a character",
  );
  const version = await run(elsewhere, ["deno", "run", "--allow-read", "--no-remote", alone, "--version"]);
  assertEquals(version.code, 0, version.stderr);
  assertMatch(version.stdout, /\d+\.\d+\.\d+/);
});

Deno.test("a run-time part that cannot be had is one line that names DENORT_BIN", async () => {
  await using checkout = await freshCheckout({ keep: ["vendor"] });
  const env = { DENORT_BIN: join(checkout.elsewhere, "denort") };
  const { code, stderr } = await run(checkout.root, ["deno", "task", "-q", "compile"], env);
  assertEquals(code, 1);
  assertMatch(stderr, /^Cannot compile: .*DENORT_BIN.*\n$/);
});
