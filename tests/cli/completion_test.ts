import { assertEquals } from "@std/assert";
import { BUILTIN_COMMANDS } from "../../src/cli/builtin_commands.ts";
import { complete } from "../../src/cli/completion.ts";
import { newSession } from "../testing/session.ts";

const commands = BUILTIN_COMMANDS;

Deno.test("a command is completed at the start of a draft only", async () => {
  assertEquals(await complete("/mo", { commands }), { start: 0, candidates: ["/mode ", "/model "] });
  assertEquals((await complete("/cl", { commands }))?.candidates, ["/clear "]);
  assertEquals((await complete("/", { commands }))!.candidates.length > 8, true);
  assertEquals(await complete("see /mo", { commands }), undefined);
  assertEquals(await complete("/mode pl", { commands }), undefined);
});

Deno.test("what may stand behind a command is completed: modes, efforts, and the models that can be asked", async () => {
  const session = newSession();
  const at = (before: string) => complete(before, { commands, session });
  assertEquals(await at("/mode "), { start: 6, candidates: ["plan ", "ask ", "edit ", "full "] });
  assertEquals(await at("/effort h"), { start: 8, candidates: ["high "] });
  assertEquals(await at("/model openai/s"), { start: 7, candidates: ["openai/small "] });
  assertEquals(await at("/usage x"), undefined);
  assertEquals(await at("say /mode p"), undefined);
});

Deno.test("a path with a blank is completed in quotes, which stay open for a folder", async () => {
  const completePath = () => Promise.resolve(["my dir/", "my notes.txt", "my.txt"]);
  assertEquals(await complete("see @my", { commands, completePath }), {
    start: 5,
    candidates: ['"my dir/', '"my notes.txt" ', "my.txt "],
  });
  assertEquals(await complete('see @"my d', { commands, completePath: () => Promise.resolve(["my dir/"]) }), {
    start: 5,
    candidates: ['"my dir/'],
  });
  assertEquals(await complete('@"my dir/a', { commands, completePath: () => Promise.resolve(["my dir/a.ts"]) }), {
    start: 1,
    candidates: ['"my dir/a.ts" '],
  });
});

Deno.test("a path is completed after an @, folders without a blank so that they go on", async () => {
  const asked: string[] = [];
  const completePath = (start: string) => {
    asked.push(start);
    return Promise.resolve(["src/", "src.txt"]);
  };
  assertEquals(await complete("see @sr", { commands, completePath }), { start: 5, candidates: ["src/", "src.txt "] });
  assertEquals((await complete("@", { commands, completePath }))?.start, 1);
  assertEquals(asked, ["sr", ""]);
  assertEquals(await complete("mail me@example", { commands, completePath }), undefined);
  assertEquals(await complete("see @sr", { commands }), undefined);
});
