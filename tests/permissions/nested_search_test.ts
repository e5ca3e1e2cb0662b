import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import { NestedSearch } from "../../src/permissions/nested_search.ts";

const HERE = fromFileUrl(new URL(".", import.meta.url)).replace(/[/\\]$/, "");

async function search(nested: NestedSearch, root: string): Promise<string[]> {
  const found: string[] = [];
  await nested.run((path) => found.push(path.slice(root.length + 1)));
  return found.toSorted();
}

Deno.test("NestedSearch finds protected paths at any depth, of packages what acts at once, and enters none of them", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (
      const path of [
        "a/.git/x/.git",
        "a/b/.github/workflows",
        ".github/x",
        "node_modules/p/.git",
        "a/node_modules/.idea",
      ]
    ) {
      await Deno.mkdir(`${root}/${path}`, { recursive: true });
    }
    for (const path of ["a/b/.ENVRC", "a/b/agents.md", "node_modules/p/AGENTS.md", "a/envrc"]) {
      await Deno.writeTextFile(`${root}/${path}`, "");
    }
    await Deno.symlink("b", `${root}/a/.vscode`);
    await Deno.symlink("..", `${root}/a/loop`);
    const nested = new NestedSearch([`${root}/a`, root]);
    const before = [
      ...["a/.git", "a/.vscode", "a/b/.ENVRC", "a/b/.github/workflows", "a/b/agents.md"],
      ...["a/node_modules/.idea", "node_modules/p/.git"],
    ];
    assertEquals(await search(nested, root), before);
    await Deno.mkdir(`${root}/a/b/c/d`, { recursive: true });
    await Deno.writeTextFile(`${root}/a/b/c/d/CLAUDE.md`, "");
    assertEquals(await search(nested, root), [...before, "a/b/c/d/CLAUDE.md"].toSorted(), "what changed is read again");
    await Deno.remove(`${root}/a`, { recursive: true });
    assertEquals(await search(nested, root), ["node_modules/p/.git"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test({
  name: "NestedSearch tells of a folder that it cannot read, and goes on",
  permissions: { read: [HERE] },
  async fn() {
    const found: [string, boolean][] = [];
    await new NestedSearch([HERE, "/somewhere-else"]).run((path, isUnreadable) => found.push([path, isUnreadable]));
    assertEquals(found, [["/somewhere-else", true]]);
  },
});

Deno.test("NestedSearch has looked at an ordinary project when it returns its promise", async () => {
  const found: string[] = [];
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${root}/a/.git`, { recursive: true });
  const searching = new NestedSearch([root]).run((path) => found.push(path));
  assert(found.length === 1);
  await searching;
  await Deno.remove(root, { recursive: true });
});
