import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { editFile } from "../../src/tools/edit_file.ts";
import { ToolError } from "../../src/tools/tool.ts";
import { newToolContext, tempDir } from "../testing/tool_context.ts";

/** Edits a file with this content; what it is afterwards, and what the model is told. */
async function edit(
  content: string | Uint8Array,
  { old, new: replacement, all }: { old: string; new: string; all?: boolean },
): Promise<{ after: string; bytes: Uint8Array; reply: string; failed: boolean }> {
  await using dir = await tempDir({ "a.txt": content });
  const input = { path: "a.txt", old_string: old, new_string: replacement, replace_all: all };
  let reply: string;
  let failed = false;
  try {
    reply = (await editFile.execute(input, newToolContext({ cwd: dir.path }))).content;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    reply = error.message;
    failed = true;
  }
  const bytes = await Deno.readFile(dir.join("a.txt"));
  return { after: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), bytes, reply, failed };
}

Deno.test("edit_file inserts $&, $$ and $1 as they are", async () => {
  const { after } = await edit('log("done");\n', { old: 'log("done");', new: 'log("$& $$ $1 ok");' });
  assertEquals(after, 'log("$& $$ $1 ok");\n');
});

Deno.test("edit_file finds lines that were asked for with other line ends, and keeps the file's", async () => {
  const { after } = await edit("one\r\ntwo\r\nthree\r\n", { old: "two\nthree", new: "TWO\nthree\nfour" });
  assertEquals(after, "one\r\nTWO\r\nthree\r\nfour\r\n");
});

Deno.test("edit_file changes nothing where the text occurs three times, and says where", async () => {
  const content = "return x;\nfoo();\nreturn x;\nbar();\nreturn x;\n";
  const { after, reply } = await edit(content, { old: "return x;", new: "return y;" });
  assertEquals(after, content);
  assertStringIncludes(reply, "occurs 3 times, in lines 1, 3, 5");
});

Deno.test("edit_file refuses a place that is only one of two that are alike", async () => {
  const content = "func a() {\n\tif x {  \n\t\treturn\n\t}\n}\nfunc b() {\n\tif x {\n\t\treturn\n\t}\n}\n";
  const old = "    if x {\n        return\n    }";
  const { after, reply } = await edit(content, { old, new: old.replace("x", "y") });
  assertEquals(after, content);
  assertStringIncludes(reply, "2 places differ from it only in indentation, in lines 2, 7");
});

Deno.test("edit_file fits the replacement into another indentation", async () => {
  const content = "func b() {\n\tif x {  \n\t\treturn\n\t}\n}\n";
  const { after, reply } = await edit(content, {
    old: "    if x {\n        return\n    }",
    new: "    if x {\n        if y {\n            go()\n        }\n        return\n    }",
  });
  assertEquals(after, "func b() {\n\tif x {  \n\t\tif y {\n\t\t\tgo()\n\t\t}\n\t\treturn\n\t}\n}\n");
  assertStringIncludes(reply, "old_string differed in indentation");
});

Deno.test("edit_file shows the closest place of a text that is not there", async () => {
  const content = "alpha\nbeta gamma delta\nepsilon\n";
  const { after, reply } = await edit(content, { old: "beta gamma delt\nepsilon!", new: "x" });
  assertEquals(after, content);
  assertStringIncludes(reply, "The closest place, lines 2-3:\n2→beta gamma delta\n3→epsilon");
});

Deno.test("edit_file says no to a path that does not exist", async () => {
  await using dir = await tempDir();
  const input = { path: "no.txt", old_string: "a", new_string: "b" };
  await assertRejects(() => editFile.execute(input, newToolContext({ cwd: dir.path })), ToolError, "no such file");
});
