import { assertEquals } from "@std/assert";
import { editFile } from "../../src/tools/edit_file.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

/** Random numbers that are the same in every run. */
function newRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Line {
  indent: number;
  text: string;
  blanks: string;
  end: string;
}

const unit = "\t";
const onDisk = ({ indent, text, blanks, end }: Line) => unit.repeat(indent) + text + blanks + end;
/** As a model writes it that took tabs for spaces, and saw neither blanks nor line ends. */
const asWritten = ({ indent, text }: Line) => "    ".repeat(indent) + text;

Deno.test("edit_file changes only the line that was meant, in files of any shape and line ends", async () => {
  const random = newRandom(7);
  const pick = <T>(...options: T[]) => options[random(options.length)]!;
  await using dir = await tempDir();
  for (let round = 0; round < 150; round++) {
    const lines: Line[] = Array.from({ length: 3 + random(12) }, (_, i) => ({
      indent: random(4),
      text: `statement(${i}, ${random(100)});`,
      blanks: pick("", "", "  ", " \t"),
      end: pick("\n", "\r\n"),
    }));
    if (random(2) === 0) lines.at(-1)!.end = "";
    const first = random(lines.length - 2);
    const block = lines.slice(first, first + 2 + random(lines.length - first - 1));
    const changed = block[random(block.length)]!;
    const after = { ...changed, text: "changed(now);", blanks: "" };
    const newBlock = block.map((line) => line === changed ? after : line);
    const last = pick("\n", "");

    await Deno.writeTextFile(dir.join("a.txt"), lines.map(onDisk).join(""));
    await editFile.execute({
      path: "a.txt",
      old_string: block.map(asWritten).join("\n") + last,
      new_string: newBlock.map(asWritten).join("\n") + last,
    }, newToolContext({ cwd: dir.path }));
    const expected = lines.map((line) => onDisk(line === changed ? after : line)).join("");
    const edited = await Deno.readTextFile(dir.join("a.txt"));
    // blanks behind an exact match are not part of it and stay
    assertEquals(edited.replace(/(?<=changed\(now\);)[ \t]+/, ""), expected, `round ${round}`);
  }
});
