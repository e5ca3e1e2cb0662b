import { assertEquals, assertStringIncludes } from "@std/assert";
import { readCall } from "../../src/llm/tool_input.ts";

const read = (json: string, isCut = false) => readCall({ id: "c1", name: "write_file", json, isCut });

Deno.test("readCall() reads the arguments of a call", () => {
  assertEquals(read('{"path":"a.txt"}'), { type: "tool_use", id: "c1", name: "write_file", input: { path: "a.txt" } });
});

Deno.test("readCall() takes no arguments for an empty object (B023)", () => {
  for (const json of ["", " \n", "null", " null "]) {
    assertEquals(read(json), { type: "tool_use", id: "c1", name: "write_file", input: {} });
  }
});

Deno.test("readCall() repairs nothing that is not valid JSON (B025)", () => {
  for (const json of ['{"path":"a\nb"}', "{'path':'a'}", '{"path":"a",}', '{"path":"a"', '{"a":1}{"b":2}', "{} x"]) {
    const call = read(json);
    assertEquals(call.input, {});
    assertStringIncludes(call.invalid ?? "", "Cannot call write_file: its arguments are not valid JSON");
  }
});

Deno.test("readCall() wants an object (B036)", () => {
  for (const json of ["[1]", '"text"', "7", "true"]) {
    const call = read(json);
    assertEquals(call.input, {});
    assertStringIncludes(call.invalid ?? "", `its arguments must be a JSON object, not ${json}`);
  }
});

Deno.test("readCall() says that a call was cut off, and lets one run that is whole all the same (B027)", () => {
  for (const json of ["", "null", '{"path":"out.md","content":"# Ti']) {
    const call = read(json, true);
    assertEquals(call.input, {});
    assertStringIncludes(
      call.invalid ?? "",
      "cut off by the output limit; nothing was done, send it again in smaller pieces",
    );
  }
  assertEquals(read('{"path":"a"}', true).invalid, undefined);
});

Deno.test("readCall() refuses arguments that are nested too deeply to be written down again", () => {
  const nested = (levels: number) => `{"path":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  assertEquals(read(nested(99)).invalid, undefined);
  for (const levels of [100, 100_000]) {
    const call = read(nested(levels));
    assertEquals(call.input, {});
    assertStringIncludes(call.invalid ?? "", "its arguments are nested more than 100 levels deep; nothing was done");
  }
});

Deno.test("readCall() takes blanks off a tool's name, and cuts one that is no name", () => {
  const named = (name: string) => readCall({ id: "c1", name, json: "{}" }).name;
  assertEquals(named(" read_file\n"), "read_file");
  assertEquals(named("n".repeat(1e6)).length, 200);
});
