import { assert, assertEquals } from "@std/assert";
import { wrapForBubblewrap } from "../../src/permissions/sandbox.ts";
import { wrapForSeatbelt } from "../../src/permissions/seatbelt.ts";
import { lookAtProtected } from "../../src/permissions/workspace_state.ts";

const view = {
  writable: ["/home/u/w"],
  masked: [{ path: "/home/u/.ssh", type: "folder" }, { path: "/home/u/.netrc", type: "file" }, {
    path: "/home/u/w/private",
    type: "folder",
  }],
  readable: ["/data/kept"],
  anchored: ["/home/u/w/.git"],
  protected: ["/home/u/w/.git/hooks"],
  absent: ["/home/u/w/.vscode"],
  resolver: "/run/systemd/resolve/stub-resolv.conf",
} as const;
const run = { cwd: "/home/u/w", network: false, readOnly: false, env: { PATH: "/usr/bin" } };

/** Where these words stand one after another; -1 if they do not. */
function at(command: readonly string[], ...words: string[]): number {
  return command.findIndex((_, i) => words.every((word, j) => command[i + j] === word));
}

Deno.test("wrapForBubblewrap() mounts what lies in another after it, and covers last", () => {
  const { command, env } = wrapForBubblewrap(["sh", "-c", "x"], run, { program: "/usr/bin/bwrap", view });
  const places = [
    at(command, "--ro-bind", "/", "/"),
    at(command, "--tmpfs", "/tmp"),
    at(command, "--tmpfs", "/home/u/.ssh"),
    at(command, "--ro-bind", "/dev/null", "/home/u/.netrc"),
    at(command, "--tmpfs", "/home/u/w/private"),
    at(command, "--bind", "/home/u/w/.git", "/home/u/w/.git"),
    at(command, "--ro-bind", "/home/u/w/.git/hooks", "/home/u/w/.git/hooks"),
    at(command, "--tmpfs", "/home/u/w/.vscode", "--remount-ro", "/home/u/w/.vscode"),
    at(command, "--clearenv", "--setenv", "PATH", "/usr/bin", "--setenv", "TMPDIR", "/tmp", "--", "sh", "-c", "x"),
  ];
  assert(places.every((place) => place > 0), `${places}`);
  assert(at(command, "--bind", "/home/u/w", "/home/u/w") < at(command, "--tmpfs", "/home/u/w/private"));
  assert(at(command, "--bind", "/home/u/w", "/home/u/w") < at(command, "--bind", "/home/u/w/.git", "/home/u/w/.git"));
  const flags = [
    "--unshare-user",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-uts",
    "--unshare-net",
    "--disable-userns",
  ];
  for (const flag of [...flags, "--die-with-parent", "--new-session"]) assert(command.includes(flag), flag);
  assertEquals(command[0], "/usr/bin/bwrap");
  assertEquals(env, {}, "the environment of bubblewrap can be read inside");
});

Deno.test("wrapForBubblewrap() gives network and the resolver's file only when told to, and writes nowhere in plan", () => {
  const wrapped = (changes: Partial<typeof run>) =>
    wrapForBubblewrap(["x"], { ...run, ...changes }, { program: "bwrap", view }).command;
  assert(wrapped({}).includes("--unshare-net"));
  assert(!wrapped({}).includes(view.resolver));
  assert(!wrapped({ network: true }).includes("--unshare-net"));
  assert(at(wrapped({ network: true }), "--ro-bind-try", view.resolver) > 0);
  const plan = wrapped({ readOnly: true });
  assert(at(plan, "--ro-bind", "/home/u/w", "/home/u/w") > 0);
  assert(!plan.includes("--bind"));
  assert(!plan.includes("/home/u/w/.vscode"), "a cover would make a folder on the disk");
});

Deno.test("wrapForSeatbelt() denies after it allows, protects names at any depth and escapes paths", () => {
  const odd = { ...view, writable: ['/Users/u/a "b" (c)\\d.e'], readable: [] };
  const { command, env } = wrapForSeatbelt(["sh", "-c", "x"], run, odd);
  assertEquals(command.slice(0, 2), ["/usr/bin/sandbox-exec", "-p"]);
  assertEquals(command.slice(3), ["--", "sh", "-c", "x"]);
  assertEquals(env, { PATH: "/usr/bin", TMPDIR: "/private/tmp" });
  const profile = command[2]!;
  const lines = profile.split("\n");
  assertEquals(lines.slice(0, 2), ["(version 1)", "(deny default)"]);
  const write = lines.findIndex((line) => line === '(allow file-write* (subpath "/Users/u/a \\"b\\" (c)\\\\d.e"))');
  const deny = lines.findIndex((line) => line.startsWith("(deny file-write* (regex "));
  assert(write > 0 && deny > write);
  assert(lines[deny]!.includes(String.raw`#"^/Users/u/a \"b\" \(c\)\\d\.e/(.*/)?\.[vV][sS][cC][oO][dD][eE](/.*)?$"`));
  assert(lines[deny]!.includes(String.raw`\.[gG][iI][tT]/hooks(/.*)?$"`));
  assert(lines[deny]!.includes(String.raw`\.[gG][iI][tT]/(modules|worktrees)(/[^/]*)?$"`));
  assert(profile.includes('(deny file-read* file-write* (subpath "/home/u/.ssh")'));
  assert(!profile.includes("network"));
  assert(wrapForSeatbelt(["x"], { ...run, network: true }, odd).command[2]!.includes("(allow network*)"));
  assert(
    !wrapForSeatbelt(["x"], { ...run, readOnly: true }, odd).command[2]!.includes(
      '(allow file-write* (subpath "/Users',
    ),
  );
});

Deno.test("lookAtProtected() tells what exists, what must not appear, links and the parts of repositories", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const folder of [".git/hooks", ".git/modules/libs/one", ".idea", "real"]) {
      await Deno.mkdir(`${root}/${folder}`, { recursive: true });
    }
    for (
      const file of [".git/config", ".git/modules/libs/one/HEAD", ".git/modules/libs/one/config", ".npmrc", "AGENTS.md"]
    ) {
      await Deno.writeTextFile(`${root}/${file}`, "");
    }
    await Deno.symlink("AGENTS.md", `${root}/CLAUDE.md`);
    await Deno.symlink("real", `${root}/.claude`);
    await Deno.mkdir(`${root}/.mini-agent`);
    const state = lookAtProtected([root], (path) => path === `${root}/.mini-agent`);
    const relative = (paths: readonly string[]) => paths.map((path) => path.slice(root.length + 1));
    const anchored = [".git", ".git/modules", ".git/modules/libs", ".git/modules/libs/one"];
    assertEquals(relative(state.anchored), anchored, "none of them may be moved away");
    for (
      const path of [
        ".git/config",
        ".git/hooks",
        ".git/modules/libs/one/config",
        ".idea",
        ".npmrc",
        "AGENTS.md",
        "real",
      ]
    ) {
      assert(relative(state.protected).includes(path), path);
    }
    assert(!relative(state.protected).includes(".git"));
    for (const path of [".git/info", ".git/modules/libs/one/hooks", ".vscode", ".mini-agent", ".envrc"]) {
      assert(relative(state.absent).includes(path), path);
    }
    for (const path of [".git/commondir", ".git/config.worktree", ".github/workflows", ".gitattributes", "GEMINI.md"]) {
      assert(relative(state.watched).includes(path), path);
    }
    assertEquals(state.links.map(({ path, target }) => [path.slice(root.length + 1), target]), [
      ["CLAUDE.md", "AGENTS.md"],
      [".claude", "real"],
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
