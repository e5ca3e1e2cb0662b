import { assertEquals, assertStringIncludes } from "@std/assert";
import { readCall } from "../../src/llm/tool_input.ts";

const read = (json: string, isCut = false) => readCall({ id: "c1", name: "write_file", json, isCut });

Deno.test("readCall() reads the arguments of a call", () => {
  assertEquals(read('{"path":"a.txt"}'), { type: "tool_use", id: "c1", name: "write_file", input: { path: "a.txt" } });
});

Deno.test("readCall() takes no arguments for an empty object (B023)", () => {
  for (const json of ["", " \n"]) assertEquals(read(json).input, {});
  assertEquals(read("").invalid, undefined);
});

Deno.test("readCall() repairs nothing that is not valid JSON (B025)", () => {
  for (const json of ['{"path":"a\nb"}', "{'path':'a'}", '{"path":"a",}', '{"path":"a"', '{"a":1}{"b":2}', "{} x"]) {
    const call = read(json);
    assertEquals(call.input, {});
    assertStringIncludes(call.invalid ?? "", "Cannot call write_file: its arguments are not valid JSON");
  }
});

Deno.test("readCall() wants an object (B036)", () => {
  for (const json of ["null", "[1]", '"text"', "7", "true"]) {
    const call = read(json);
    assertEquals(call.input, {});
    assertStringIncludes(call.invalid ?? "", `its arguments must be a JSON object, not ${json}`);
  }
});

Deno.test("readCall() says that a call was cut off, and lets one run that is whole all the same (B027)", () => {
  for (const json of ["", '{"path":"out.md","content":"# Ti']) {
    const call = read(json, true);
    assertEquals(call.input, {});
    assertStringIncludes(
      call.invalid ?? "",
      "cut off by the output limit; nothing was done, send it again in smaller pieces",
    );
  }
  assertEquals(read('{"path":"a"}', true).invalid, undefined);
});
