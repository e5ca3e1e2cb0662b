import { assertEquals, assertThrows } from "@std/assert";
import { checkFile, checkPlace, openInPlace } from "../../src/tools/in_place.ts";
import { tempDir } from "../testing/tool_context.ts";

const ignore = Deno.build.os === "windows";
const Busy = Deno.errors.Busy;

/** A folder `in` with a file, a folder `out` beside it, and links that have taken the place of a folder and of a file. */
async function withLinks(use: (path: (name: string) => string) => void): Promise<void> {
  await using dir = await tempDir({ "in/a": "inside", "out/a": "outside" });
  await Deno.symlink("../out", dir.join("in/folder"));
  await Deno.symlink("../out/a", dir.join("in/file"));
  use((name) => dir.join(name));
  assertEquals(Array.from(Deno.readDirSync(dir.join("out")), ({ name }) => name), ["a"]);
  assertEquals(await Deno.readTextFile(dir.join("out/a")), "outside");
}

Deno.test(
  { name: "checkPlace() and checkFile() find a link that has taken the place of a folder", ignore },
  () =>
    withLinks((path) => {
      checkPlace(path("in"));
      assertThrows(() => checkPlace(path("in/folder")), Busy, "changed by someone else");
      assertThrows(() => checkPlace(path("none")), Deno.errors.NotFound);
      checkFile(path("in/a"), Deno.lstatSync(path("in/a")));
      assertThrows(() => checkFile(path("in/a"), Deno.lstatSync(path("out/a"))), Busy);
      assertThrows(() => checkFile(path("in/folder/a"), Deno.lstatSync(path("out/a"))), Busy);
    }),
);

Deno.test(
  { name: "openInPlace() opens a regular file, and nothing behind a link that has taken its place", ignore },
  () =>
    withLinks((path) => {
      openInPlace(path("in/a")).close();
      for (const name of ["in/file", "in/folder/a", "in"]) assertThrows(() => openInPlace(path(name)), Busy);
      assertThrows(() => openInPlace(path("in/folder/b"), { write: true, createNew: true }), Busy);
    }),
);
