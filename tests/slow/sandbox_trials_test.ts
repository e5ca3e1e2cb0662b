/**
 * Tries the real sandbox of this machine. Without bubblewrap the tests are counted as ignored, never as passed.
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { makeSandbox } from "../../src/permissions/sandbox_guard.ts";
import { probeSandbox, type RunProgram } from "../../src/permissions/sandbox_probe.ts";
import { lookAtProtected } from "../../src/permissions/workspace_state.ts";
import { type Trial, trialsFor } from "../../src/permissions/sandbox_trials.ts";
import { FakeService } from "../testing/fake_service.ts";
import { HAS_SANDBOX, NO_WORKSPACE, output, runAs, USERS, withGround } from "../testing/sandbox_ground.ts";

const ignore = !HAS_SANDBOX;

async function canTry({ needs = [] }: Trial): Promise<boolean> {
  const found = await Promise.all(needs.map((program) => output(["sh", "-c", `command -v ${program}`])));
  return found.every((path) => path !== undefined && path !== "");
}

/** A Unix socket that everybody may use, in a process of its own: tests may listen on this machine's addresses only. */
async function listenOn(path: string, onConnection: () => void): Promise<AsyncDisposable> {
  const code = `
    const listener = Deno.listen({ transport: "unix", path: ${JSON.stringify(path)} });
    Deno.chmodSync(${JSON.stringify(path)}, 0o777);
    console.log("listening");
    for await (const connection of listener) { console.log("connection"); connection.close(); }`;
  const child = new Deno.Command(Deno.execPath(), { args: ["eval", code], stdout: "piped" }).spawn();
  const listening = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      if (text.includes("listening")) listening.resolve();
      if (text.includes("connection")) onConnection();
    }
    listening.reject(new Error("Nothing listens on the socket"));
  })();
  await listening.promise;
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await Promise.all([child.status, reading]);
    },
  };
}

for (const user of USERS) {
  Deno.test({
    name: `the sandbox blocks what a hostile command would try and allows what it needs, as ${user.name}`,
    ignore,
    fn: () =>
      withGround(user, async ({ workspace, outside, run }) => {
        const connections: string[] = [];
        const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
        const accepting = (async () => {
          for await (const connection of listener) {
            connections.push(JSON.stringify(connection.remoteAddr));
            connection.close();
          }
        })();
        const socket = `${outside}.socket`; // below /tmp
        await using _ = await listenOn(socket, () => connections.push("unix"));
        try {
          const ground = { workspace: workspace.cwd, outside, port: listener.addr.port, socket, pid: Deno.pid };
          const trials = trialsFor(ground);
          const results: [string, boolean][] = [];
          for (const trial of trials) {
            if (!await canTry(trial)) continue;
            const { code, moved } = await run(trial.script);
            results.push([trial.name, code === 0 && moved.length === 0]);
          }
          assert(results.length > 20, `only ${results.length} trials were possible`);
          const expected = trials.filter(({ name }) => results.some(([tried]) => tried === name));
          assertEquals(results, expected.map(({ name, allowed }) => [name, allowed]));
          assertEquals(connections, []);
        } finally {
          listener.close();
          await accepting;
        }
      }),
  });

  Deno.test({
    name: `the sandbox leaves the workspace as a command made it, as ${user.name}`,
    ignore,
    fn: () =>
      withGround(user, async ({ workspace, run }) => {
        const result = await run(
          "echo b > b; git add -A && git -c user.name=x -c user.email=x@x commit -qm b && git status -s",
        );
        assertEquals([result.code, result.stdout, result.stderr, result.moved], [0, "", "", []]);
        const names = Array.from(Deno.readDirSync(workspace.cwd), ({ name }) => name).toSorted();
        assertEquals(names, [".git", "b", "way-out"]);
        assertEquals(await Deno.readTextFile(`${workspace.cwd}/b`), "b\n");
      }),
  });
}

Deno.test({
  name: "the sandbox hides secrets of the home and opens what the configuration adds",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ home, facts, run }) => {
      const secrets = await run('cat "$HOME/.ssh/id_rsa" "$HOME/.netrc"; ls -A "$HOME/.ssh"');
      assertEquals(secrets.stdout, "");
      const made = await run(`echo x > "$HOME/.config/made" && echo x > "$HOME/.config/gh/made"`);
      assertEquals([made.code, made.stderr], [0, ""]);
      assertEquals(await Deno.readTextFile(`${home}/.config/made`), "x\n");
      assertEquals(Array.from(Deno.readDirSync(`${home}/.config/gh`)), [], "a masked folder in a writable one");
      assertEquals(facts.missing.length, 1);
    }),
});

Deno.test({
  name: "the sandbox hides secrets where the home itself is the workspace, and what lies in repositories below a mask",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ home }) => {
      const env = { PATH: "/usr/bin:/bin", HOME: home };
      const own = "mkdir private && git init -q private/x && echo secret > private/x/.git/x && git init -q open";
      await runAs([])(["sh", "-c", `cd '${home}' && ${own}`], env);
      const workspace = { cwd: home, roots: [home], home };
      const facts = await probeSandbox({ os: "linux", workspace, mask: ["~/private"] }, runAs([]));
      assert(facts.kind === "bubblewrap", JSON.stringify(facts));
      const sandbox = makeSandbox(facts, workspace.roots);
      const script = "cat .ssh/id_rsa .netrc private/x/.git/x; ls -A .ssh private; " +
        "echo x > .ssh/config; echo x > open/.git/config";
      const options = { cwd: home, network: false, readOnly: false, env };
      const { command, env: outer } = sandbox.wrap(["sh", "-c", script], options);
      const { code, stdout } = await runAs([])(command, outer);
      assertEquals([code !== 0, stdout], [true, ".ssh:\n\nprivate:\n"]);
      assertEquals(Array.from(Deno.readDirSync(`${home}/.ssh`), ({ name }) => name), ["id_rsa"]);
    }),
});

Deno.test({
  name: "the sandbox has network only when it is asked for, and writes nothing in plan mode",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ workspace, run }) => {
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const accepted = listener.accept().then((connection) => connection.close());
      const connect = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${listener.addr.port}'`;
      assert((await run(connect)).code !== 0);
      assertEquals((await run(connect, { network: true })).code, 0);
      await accepted;
      listener.close();
      assert((await run("echo x > made", { readOnly: true })).code !== 0);
      assertEquals((await run("git status -s && ls && echo x > /tmp/x", { readOnly: true })).code, 0);
      assertEquals(Array.from(Deno.readDirSync(workspace.cwd)).length, 2);
    }),
});

Deno.test({
  name: "no program reaches the network from the sandbox, and each fails within two seconds",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ run }) => {
      await using server = new FakeService("reached");
      const port = new URL(server.url).port;
      const python = (code: string) => `python3 -c '${code}'`;
      const ways = [
        `curl -s ${server.url}`,
        `wget -q -T 1 -t 1 -O - ${server.url}`,
        `nc -w 1 127.0.0.1 ${port} < /dev/null`,
        `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`,
        "getent hosts example.com",
        "ping -c 1 -W 1 192.0.2.1",
        "ssh -o ConnectTimeout=1 -o BatchMode=yes 127.0.0.1 true",
        python(`import socket; socket.create_connection(("127.0.0.1", ${port}), 1)`),
        python('import socket; socket.getaddrinfo("example.com", 80)'),
        python('import socket; s = socket.socket(2, 2); s.sendto(b"x", ("192.0.2.53", 53))'),
        python("import socket; socket.socket(17, 3)"),
      ];
      let tried = 0;
      for (const way of ways) {
        if (await output(["sh", "-c", `command -v ${way.split(" ", 1)[0]}`]) === "") continue;
        tried++;
        const started = performance.now();
        const { code, stdout } = await run(way);
        assert(code !== 0, `${way}: ${stdout}`);
        assert(performance.now() - started < 2000, `${way} took ${performance.now() - started} ms`);
      }
      assert(tried >= 5, `only ${tried} could be tried`);
      assertEquals(server.requests, []);
    }),
});

Deno.test({
  name: "the reading commands that write or run make nothing in plan mode's sandbox, were they let through",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ workspace, run }) => {
      await Deno.writeTextFile(`${workspace.cwd}/a`, "text\n");
      const ways = [
        "find . -exec touch m {} +",
        "find . -fprintf m x",
        "sed -n 'w m' a",
        "sed '1e touch m' a",
        "sort -o m a",
        "tar -cf m --checkpoint=1 --checkpoint-action=exec='touch m' a",
        "echo m | xargs touch",
        "env touch m",
        "git -c alias.x='!touch m' x",
        "git log --output=m",
        "git diff --no-index --output=m a b",
        "uniq a m",
        "tee m < a",
        "shuf -o m a",
        "split a m",
        "dd if=a of=m",
        "awk 'BEGIN { system(\"touch m\") }'",
      ];
      for (const way of ways) await run(way, { readOnly: true });
      const names = Array.from(Deno.readDirSync(workspace.cwd), ({ name }) => name).toSorted();
      assertEquals(names, [".git", "a", "way-out"]);
    }),
});

Deno.test({
  name: "the sandbox keeps protected paths from being made, and leaves no trace of that",
  ignore,
  fn: () =>
    withGround({ prefix: [], repository: false }, async ({ workspace, run }) => {
      const scripts = [
        "git init -q",
        "mkdir .git/hooks",
        "echo x > .mini-agent/config.json",
        "echo x > .vscode/tasks.json",
        "echo x > .envrc",
      ];
      for (const script of scripts) assert((await run(script)).code !== 0, script);
      assertEquals(Array.from(Deno.readDirSync(workspace.cwd), ({ name }) => name), ["way-out"]);
    }),
});

Deno.test({
  name: "the sandbox moves protected paths aside that a command made nonetheless, and names them",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ workspace, sandbox, run }) => {
      const { cwd } = workspace;
      await Deno.writeTextFile(`${cwd}/AGENTS.md`, "ours");
      await Deno.symlink("AGENTS.md", `${cwd}/CLAUDE.md`);
      const script =
        "mkdir -p .github/workflows && echo x > .github/workflows/a.yml; echo x > .gitattributes; echo . > .git/commondir;" +
        "rm CLAUDE.md && echo theirs > CLAUDE.md; echo theirs > AGENTS.md";
      const { moved } = await run(script);
      const expected = [".git/commondir", ".gitattributes", ".github/workflows", "CLAUDE.md"];
      assertEquals(moved.map((path) => path.slice(cwd.length + 1)).toSorted(), expected);
      assertEquals(await Deno.readTextFile(`${cwd}/.gitattributes.quarantined-1`), "x\n");
      assertEquals(await Deno.readLink(`${cwd}/CLAUDE.md`), "AGENTS.md");
      assertEquals(await Deno.readTextFile(`${cwd}/AGENTS.md`), "ours");
      sandbox.expectChange(`${cwd}/.gitattributes`);
      assertEquals((await run("echo y > .gitattributes")).moved, []);
      assertEquals(await Deno.readTextFile(`${cwd}/.gitattributes`), "y\n");
    }),
});

Deno.test({
  name: "the sandbox moves protected paths aside that a command made anywhere below, and leaves those that were there",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ workspace, sandbox, run }) => {
      const { cwd } = workspace;
      const git = "git -c user.name=x -c user.email=x@x -C old";
      await runAs([])([
        "sh",
        "-c",
        `cd '${cwd}' && git init -q old && mkdir -p old/.vscode had && echo ours > had/AGENTS.md`,
      ], {
        PATH: "/usr/bin:/bin",
        HOME: workspace.home!,
      });
      const below = async (script: string) =>
        (await run(script)).moved.map((path) => path.slice(cwd.length + 1)).toSorted();
      assertEquals(await below(`echo x > old/x; ${git} add x; ${git} commit -qm x; echo x >> had/AGENTS.md`), []);
      assertEquals(
        await below(
          "git init -q sub; echo evil > sub/.git/hooks/post-checkout; mkdir -p a/b/.vscode n/.github/workflows m;" +
            "echo x > n/.envrc; echo x > m/x; mv m/x m/CLAUDE.md; mkdir -p node_modules/p/.git node_modules/p/.github/workflows",
        ),
        ["a/b/.vscode", "m/CLAUDE.md", "n/.envrc", "n/.github/workflows", "node_modules/p/.git", "sub/.git"],
      );
      assertEquals(await Deno.readTextFile(`${cwd}/sub/.git.quarantined-1/hooks/post-checkout`), "evil\n");
      assertEquals(await below("mv sub/.git.quarantined-1 sub/.git"), ["sub/.git"], "an older folder under a new name");
      assertEquals(await below("echo theirs > t; mv t had/AGENTS.md"), ["had/AGENTS.md"], "another file in its place");
      await Deno.mkdir(`${cwd}/mine`);
      sandbox.expectChange(`${cwd}/mine/.vscode/tasks.json`);
      assertEquals(await below("mkdir mine/.vscode; touch mine/.vscode/tasks.json"), []);
    }),
});

Deno.test({
  name: "the sandbox lets a worktree commit to its repository, and no file opens a folder outside",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ workspace, facts, run }) => {
      const { cwd } = workspace;
      const commit = "git -c user.name=x -c user.email=x@x commit -q --allow-empty -m x";
      assertEquals((await run(commit)).code, 0);
      const tree = `${cwd}-tree`;
      const env = { PATH: "/usr/bin:/bin", HOME: workspace.home! };
      await runAs([])(["git", "-C", cwd, "worktree", "add", "-q", tree], env);
      const sandbox = makeSandbox({ ...facts, view: { ...facts.view, writable: [tree] } }, [tree]);
      const inTree = async (script: string) => {
        const confined = sandbox.wrap(["sh", "-c", script], { cwd: tree, network: false, readOnly: false, env });
        const { code } = await runAs([])(confined.command, confined.env);
        await confined.settled();
        return code;
      };
      assertEquals(await inTree(commit), 0);
      assert(await inTree(`echo x >> ${cwd}/.git/config`) !== 0);
      assert(await inTree(`echo x > ${cwd}/.git/hooks/pre-commit`) !== 0);
      await inTree(`echo x > ${cwd}/made`); // in a folder that only the sandbox sees
      await assertRejects(() => Deno.lstat(`${cwd}/made`), Deno.errors.NotFound);
      // the same file in another folder is not what the repository knows
      const forged = `${cwd}-forged`;
      await Deno.mkdir(forged);
      await Deno.copyFile(`${tree}/.git`, `${forged}/.git`);
      assertEquals(lookAtProtected([forged], () => false).anchored, []);
    }),
});

Deno.test({
  name: "the sandbox keeps its covers while another command still runs",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ workspace, run }) => {
      const slow = run(
        "touch started; while [ ! -e go ]; do sleep 0.02; done; mkdir -p .vscode && echo x > .vscode/tasks.json",
      );
      while (!await Deno.lstat(`${workspace.cwd}/started`).then(() => true, () => false)) await run("true");
      await run("touch go");
      assert((await slow).code !== 0);
      const names = Array.from(Deno.readDirSync(workspace.cwd), ({ name }) => name).toSorted();
      assertEquals(names, [".git", "go", "started", "way-out"]);
    }),
});

Deno.test({
  name: "a killed sandbox takes everything with it that was started in it",
  ignore,
  fn: () =>
    withGround({ prefix: [] }, async ({ workspace, sandbox }) => {
      const env = { PATH: "/usr/bin:/bin" };
      const script = "trap '' TERM; setsid sleep 987654 & (sleep 987654 &) ; echo ready; sleep 987654";
      const { command } = sandbox.wrap(["sh", "-c", script], {
        cwd: workspace.cwd,
        network: false,
        readOnly: false,
        env,
      });
      const child = new Deno.Command(command[0]!, {
        args: command.slice(1),
        clearEnv: true,
        stdin: "null",
        stdout: "piped",
      }).spawn();
      const reader = child.stdout.getReader();
      assertStringIncludes(new TextDecoder().decode((await reader.read()).value), "ready");
      child.kill("SIGKILL");
      assertEquals((await reader.read()).done, true, "the pipe is held by nobody any more");
      await child.status;
      await sandbox.dispose();
    }),
});

Deno.test("probeSandbox() finds out what merely runs its arguments", async () => {
  const fake: RunProgram = async (command, env) => {
    const rest = command.slice(command.indexOf("--") + 1);
    return await runAs([])(rest, env);
  };
  const facts = await probeSandbox({ os: "linux", workspace: NO_WORKSPACE }, fake);
  assertEquals(facts, {
    kind: "broken",
    program: "/usr/bin/bwrap",
    reason: "it starts commands without confining them",
  });
});

Deno.test({
  name: "probeSandbox() makes do with an older bubblewrap, which cannot forbid namespaces",
  ignore,
  async fn() {
    const old: RunProgram = (command, env) =>
      command.includes("--disable-userns")
        ? Promise.resolve({ code: 1, stdout: "", stderr: "bwrap: Unknown option --disable-userns\n" })
        : runAs([])(command, env);
    const facts = await probeSandbox({ os: "linux", workspace: NO_WORKSPACE }, old);
    assert(facts.kind === "bubblewrap", JSON.stringify(facts));
    assertEquals(facts.view.nestedNamespaces, true);
    const { command } = makeSandbox(facts, []).wrap(["x"], { cwd: "/", network: false, readOnly: false, env: {} });
    assert(!command.includes("--disable-userns"));
  },
});

Deno.test("probeSandbox() tells a sandbox that is missing or forbidden from one that fails", async () => {
  const probe = (run: RunProgram, os: typeof Deno.build.os = "linux", roots = ["/w"]) =>
    probeSandbox({ os, workspace: { cwd: "/w", roots } }, run);
  const ends = (code: number, stderr: string): RunProgram => () => Promise.resolve({ code, stdout: "", stderr });
  const missing: RunProgram = () => Promise.reject(new Deno.errors.NotFound("x"));
  assertEquals(await probe(missing), { kind: "none", reason: "bubblewrap is not installed" });
  assertEquals(await probe(ends(1, "bwrap: No permissions to create new namespace")), {
    kind: "none",
    reason: "bwrap: No permissions to create new namespace",
  });
  assertEquals(await probe(ends(1, "")), { kind: "broken", program: "/usr/bin/bwrap", reason: "it ended with 1" });
  assertEquals((await probe(ends(0, ""))).kind, "broken");
  assertEquals(await probe(missing, "windows"), { kind: "none", reason: "there is none for windows" });
  assertEquals((await probe(missing, "linux", ["/"])).kind, "none");
  const forbidden: RunProgram = () => Promise.reject(new Deno.errors.NotCapable("x"));
  assertEquals(await probe(forbidden), { kind: "none", reason: "no --allow-run for /usr/bin/bwrap" });
});

Deno.test({
  name: "the trial that looks for an environment sees one, and takes our mark for none",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const trials = trialsFor({ workspace: "/w", outside: "/o", port: 1, pid: 1 });
    const { script } = trials.find(({ name }) => name === "read the environment that started it")!;
    const getsThrough = async (env: Record<string, string>) => {
      const first = new Deno.Command("sleep", { args: ["60"], env, clearEnv: true }).spawn();
      const code = await output(["sh", "-c", `${script.replace("/proc/1/", `/proc/${first.pid}/`)}; echo $?`]);
      first.kill("SIGKILL");
      await first.status;
      return code?.trim() === "0";
    };
    assertEquals(await getsThrough({ MINI_AGENT_CHILD: "x" }), false);
    assertEquals(await getsThrough({ MINI_AGENT_CHILD: "x", DEEPSEEK_API_KEY: "y" }), true);
  },
});
