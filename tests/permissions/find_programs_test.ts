import { assertEquals } from "@std/assert";
import { findPrograms } from "../../src/permissions/find_programs.ts";

/** A search path with `tool` in a folder outside the workspace, and things that only look like programs. */
async function withPrograms(
  use: (base: string, find: (command: string, ...path: string[]) => boolean) => void,
) {
  const base = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const folder of ["bin", "links", "repo/bin", "bin/folder"]) {
      await Deno.mkdir(`${base}/${folder}`, { recursive: true });
    }
    for (const file of ["bin/tool", "repo/bin/tool", "repo/bin/own"]) {
      await Deno.writeTextFile(`${base}/${file}`, "#!/bin/sh\n", { mode: 0o755 });
    }
    await Deno.writeTextFile(`${base}/bin/text`, "", { mode: 0o644 });
    await Deno.symlink("../repo/bin/own", `${base}/links/own`);
    const workspace = { cwd: `${base}/repo`, roots: [`${base}/repo`] };
    use(base, (command, ...searchPath) => findPrograms(command, { searchPath, workspace }));
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

const ignore = Deno.build.os === "windows";

Deno.test({
  name: "findPrograms() finds programs on the search path, in a file outside the workspace",
  ignore,
  fn: () =>
    withPrograms((base, find) => {
      assertEquals(find("tool a b", `${base}/none`, `${base}/bin`), true);
      assertEquals(find("cd x && tool | tool", `${base}/bin`), true);
      assertEquals(find(`${base}/bin/tool`), true);
      for (
        const command of ["text", "folder", "missing", "tool; missing", "./bin/tool", "bin/tool", "$x", "tool &", ""]
      ) {
        assertEquals([command, find(command, `${base}/bin`)], [command, false]);
      }
    }),
});

Deno.test({
  name:
    "findPrograms() does not take a program that the workspace brought along, not even by a link or a relative path",
  ignore,
  fn: () =>
    withPrograms((base, find) => {
      assertEquals(find("tool", `${base}/repo/bin`, `${base}/bin`), false);
      assertEquals(find("own", `${base}/links`), false);
      assertEquals(find(`${base}/repo/bin/own`), false);
      assertEquals(find("tool", "bin", `${base}/bin`), false);
      assertEquals(find("tool", "", `${base}/bin`), false);
      assertEquals(find("tool", `${base}/bin`, `${base}/repo/bin`), true);
    }),
});
