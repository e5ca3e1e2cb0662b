import { assertEquals, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import { inFolder, openInPlace } from "../../src/tools/in_place.ts";
import { tempDir } from "../testing/tool_context.ts";

const ignore = Deno.build.os === "windows";
const Busy = Deno.errors.Busy;

/** A folder `in` with a file, a folder `out` beside it, and links that have taken the place of a folder and of a file. */
async function withLinks(use: (path: (name: string) => string) => void): Promise<void> {
  await using dir = await tempDir({ "in/a": "inside", "out/a": "outside" });
  await Deno.symlink("../out", dir.join("in/folder"));
  await Deno.symlink("../out/a", dir.join("in/file"));
  const before = Deno.cwd();
  use((name) => dir.join(name));
  assertEquals(Deno.cwd(), before);
  assertEquals(Array.from(Deno.readDirSync(dir.join("out")), ({ name }) => name), ["a"]);
  assertEquals(await Deno.readTextFile(dir.join("out/a")), "outside");
}

Deno.test(
  { name: "inFolder() works in the folder that is at its path, and nowhere else", ignore },
  () =>
    withLinks((path) => {
      assertEquals(inFolder(path("in"), (at) => Deno.readTextFileSync(at("a"))), "inside");
      const write = (at: (name: string) => string) => Deno.writeTextFileSync(at("b"), "x");
      assertThrows(() => inFolder(path("in/folder"), write), Busy, "changed by someone else");
      assertThrows(() => inFolder(path("none"), write), Deno.errors.NotFound);
      assertThrows(() =>
        inFolder(path("in"), () => {
          throw new TypeError("x");
        }), TypeError);
    }),
);

Deno.test(
  { name: "openInPlace() opens a regular file, and no link that has taken its place", ignore },
  () =>
    withLinks((path) => {
      openInPlace(path("in/a")).close();
      for (const name of ["in/file", "in/folder/a", "in"]) assertThrows(() => openInPlace(path(name)), Busy);
    }),
);

Deno.test({
  name: "inFolder() looks at the folder where Deno's grants are scoped too",
  ignore,
  permissions: { read: [fromFileUrl(new URL("../testdata", import.meta.url))] },
}, () => {
  const folder = fromFileUrl(new URL("../testdata", import.meta.url)).replace(/\/$/, "");
  assertEquals(inFolder(folder, (at) => at("x")), `${folder}/x`);
});
