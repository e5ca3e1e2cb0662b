import { assert, assertEquals } from "@std/assert";
import { rulesAbove } from "../../src/tools/ignore_files.ts";
import { type Entry, walk, type WalkOptions } from "../../src/tools/walk.ts";
import { generateTree } from "../testing/generated_tree.ts";
import { git, isInstalled } from "../testing/git.ts";
import { seeded } from "../testing/random.ts";
import { tempDir } from "../testing/tool_context.ts";

/** The paths that a walk gives, relative to its start; folders end with `/`. */
function paths(folder: string, options?: WalkOptions): string[] {
  const name = ({ path, type }: Entry) => path.slice(folder.length + 1) + (type === "folder" ? "/" : "");
  return Array.from(walk(folder, options), name);
}

Deno.test("walk() gives each folder before what it holds, in the order of the names", async () => {
  await using dir = await tempDir({ "b/2.txt": "", "b/1.txt": "", "a.txt": "", "c/d/e": "" });
  assertEquals(paths(dir.path), ["a.txt", "b/", "b/1.txt", "b/2.txt", "c/", "c/d/", "c/d/e"]);
});

Deno.test("walk() gives links without following them", async () => {
  await using dir = await tempDir({ "sub/file": "" });
  await Deno.symlink("..", dir.join("sub/up"));
  await Deno.symlink(".", dir.join("self"));
  await Deno.symlink("nowhere", dir.join("broken"));
  const found = Array.from(walk(dir.path), ({ name, type }) => `${name} ${type}`);
  assertEquals(found, ["broken link", "self link", "sub folder", "file file", "up link"]);
});

Deno.test("walk() leaves out .git and what nested ignore files name, and reads no ignored folder", async () => {
  await using dir = await tempDir({
    ".git/config": "",
    ".gitignore": "*.log\nbuild/\n",
    "build/.gitignore": "!*\n",
    "build/x.txt": "",
    "a.log": "",
    "src/.gitignore": "!b.log\n",
    "src/a.log": "",
    "src/b.log": "",
  });
  const ignored: string[] = [];
  const found = paths(dir.path, { onIgnored: ({ name }) => ignored.push(name) });
  assertEquals(found, [".gitignore", "src/", "src/.gitignore", "src/b.log"]);
  assertEquals(ignored, ["a.log", "build", "a.log"]);
});

Deno.test("walk() lets the rules of a repository end where another one begins", async () => {
  await using dir = await tempDir({
    ".gitignore": "*.log\n",
    "inner/.git/info/exclude": "*.tmp\n",
    "inner/a.log": "",
    "inner/a.tmp": "",
  });
  assertEquals(paths(dir.path), [".gitignore", "inner/", "inner/a.log"]);
});

Deno.test("walk() follows no link in place of an ignore file, as git does not", async () => {
  await using dir = await tempDir({ "rules": "*.log\n", "a.log": "" });
  await Deno.symlink("rules", dir.join(".gitignore"));
  assertEquals(paths(dir.path), [".gitignore", "a.log", "rules"]);
});

Deno.test("walk() enters only the folders that it is told to, and names those that it cannot read", async () => {
  await using dir = await tempDir({ "a/1": "", "b/2": "" });
  assertEquals(paths(dir.path, { enter: ({ name }) => name === "b" }), ["a/", "b/", "b/2"]);
  const unreadable: string[] = [];
  assertEquals(paths(dir.join("gone"), { onUnreadable: (path) => unreadable.push(path) }), []);
  assertEquals(unreadable, [dir.join("gone")]);
});

Deno.test({
  name: "walk() goes on behind folders that are nested too deeply for the system",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using dir = await tempDir({ z: "" });
    const nest = "name=$(printf 'x%.0s' $(seq 240)); for i in $(seq 20); do mkdir $name; cd $name; done";
    await new Deno.Command("sh", { args: ["-c", nest], cwd: dir.path }).output(); // the shell gives up at some depth too
    let unreadable = 0;
    const found = paths(dir.path, { onUnreadable: () => unreadable++ });
    assertEquals([unreadable, found.at(-1)], [1, "z"]);
  },
});

Deno.test("rulesAbove() gathers the rules from the repository's root down, and none from above it", async () => {
  await using dir = await tempDir({
    ".gitignore": "*.md\n",
    "repo/.git/info/exclude": "*.tmp\n",
    "repo/.gitignore": "*.log\n/sub/*.bak\n",
    "repo/sub/.gitignore": "!keep.log\n",
  });
  const names = ["a.md", "a.tmp", "a.log", "a.bak", "keep.log"];
  const rules = rulesAbove(dir.join("repo/sub/deep"), [dir.path]);
  const ignores = (folder: string, name: string) =>
    rules?.ignores({ path: dir.join(folder, name), name, isFolder: false }) ?? false;
  await Deno.mkdir(dir.join("repo/sub/deep"));
  assertEquals(names.filter((name) => ignores("repo/sub", name)), ["a.tmp", "a.log", "a.bak"]);
});

Deno.test("rulesAbove() begins at the workspace where there is no repository", async () => {
  await using dir = await tempDir({ ".gitignore": "*.md\n", "w/.gitignore": "*.log\n", "w/sub/x": "" });
  const rules = rulesAbove(dir.join("w/sub"), [dir.join("w")]);
  const ignores = (name: string) => rules?.ignores({ path: dir.join("w/sub", name), name, isFolder: false });
  assertEquals([ignores("a.log"), ignores("a.md")], [true, false]);
});

Deno.test({
  name: "walk() gives the files that git ls-files gives, in generated trees with every kind of rule",
  ignore: !isInstalled("git"),
  async fn() {
    let left = 0;
    for (let seed = 1; seed <= 8; seed++) {
      await using dir = await tempDir();
      await generateTree(dir.path, seeded(seed), { depth: 2, isOdd: true });
      await git(dir.path, "init", "--quiet");
      const listed = await git(dir.path, "ls-files", "--cached", "--others", "--exclude-standard", "-z");
      const found = paths(dir.path).filter((path) => !path.endsWith("/"));
      assertEquals(found.toSorted(), listed.split("\0").filter((path) => path !== "").toSorted(), `seed ${seed}`);
      left += found.length;
    }
    assert(left > 200, "the trees hold something");
  },
});
