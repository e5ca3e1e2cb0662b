import { assertEquals } from "@std/assert";
import { joinPieces, ToolCallPieces } from "../../src/llm/tool_call_pieces.ts";

type Piece = [more: Record<string, unknown>, fn?: Record<string, unknown>];

/** The calls out of chunks, each a list of pieces: id, name and arguments. */
function collect(...chunks: Piece[][]): [id: string, name: string, text: string][] {
  const calls = new ToolCallPieces();
  for (const chunk of chunks) calls.add(chunk.map(([more, fn]) => ({ ...more, ...(fn && { function: fn }) })));
  return calls.drafts.map(({ id, name, pieces }) => [id, name, joinPieces(pieces)]);
}

const named = (name: string, text?: unknown) => ({ name, ...(text !== undefined && { arguments: text }) });
const args = (text: unknown) => ({ arguments: text });

Deno.test("ToolCallPieces goes on with the last call where there is no index [B017]", () => {
  assertEquals(
    collect([[{ id: "c1" }, named("read", '{"path":')]], [[{}, args('"a.txt"}')]]),
    [["c1", "read", '{"path":"a.txt"}']],
  );
});

Deno.test("ToolCallPieces sets names and ids that every piece repeats [B019]", () => {
  for (const index of [{ index: 0 }, {}]) {
    assertEquals(
      collect(
        [[{ ...index, id: "c1" }, named("read", "")]],
        [[{ ...index, id: "c1" }, named("read", '{"path":')]],
        [[{ ...index, id: "c1" }, named("read", '"a.txt"}')]],
        [[{ ...index, id: "c1" }, named("read", "")]],
      ),
      [["c1", "read", '{"path":"a.txt"}']],
    );
  }
});

Deno.test("ToolCallPieces keeps calls apart by their index, in whatever order their pieces come", () => {
  assertEquals(
    collect(
      [[{ index: 0, id: "c1" }, named("read", "")], [{ index: 1, id: "c2" }, named("read", "")]],
      [[{ index: 1 }, args('{"path":')], [{ index: 0 }, args('{"path":')]],
      [[{ index: 0 }, args('"a"}')], [{ index: "1" }, args('"b"}')]],
    ),
    [["c1", "read", '{"path":"a"}'], ["c2", "read", '{"path":"b"}']],
  );
});

Deno.test("ToolCallPieces takes names and ids that come late", () => {
  assertEquals(
    collect([[{ index: 0 }]], [[{ index: 0, id: "c1" }]], [[{ index: 0 }, named("read")]], [[
      { index: 0 },
      args("{}"),
    ]]),
    [["c1", "read", "{}"]],
  );
  assertEquals(
    collect([[{ index: 0, id: "c1" }, args('{"a":')]], [[{ index: 0 }, args("1}")]], [[{ index: 0 }, named("read")]]),
    [["c1", "read", '{"a":1}']],
  );
  assertEquals(collect([[{ id: "c1" }]], [[{}, named("read", "{}")]]), [["c1", "read", "{}"]]);
  assertEquals(collect([[{ index: 0 }, named("re")]], [[{ index: 0 }, named("read", "{}")]]), [["", "read", "{}"]]);
});

Deno.test("ToolCallPieces puts a name together that comes in pieces behind the call's id", () => {
  assertEquals(
    collect([[{ index: 0, id: "c1" }, named("read_")]], [[{ index: 0 }, named("file", "")]], [[
      { index: 0 },
      args("{}"),
    ]]),
    [["c1", "read_file", "{}"]],
  );
});

Deno.test("ToolCallPieces takes an index that comes only with later pieces", () => {
  assertEquals(
    collect([[{ id: "c1" }, named("read", '{"a":')]], [[{ index: 0 }, args("1}")]]),
    [["c1", "read", '{"a":1}']],
  );
});

Deno.test("ToolCallPieces separates whole calls that share an index or have none", () => {
  for (const index of [{ index: 0 }, {}]) {
    assertEquals(
      collect(
        [[{ ...index, id: "c1" }, named("read", '{"path":"a"}')]],
        [[{ ...index, id: "c2" }, named("read", '{"path":"b"}')], [{ ...index, id: "c3" }, named("list", "{}")]],
      ),
      [["c1", "read", '{"path":"a"}'], ["c2", "read", '{"path":"b"}'], ["c3", "list", "{}"]],
    );
    assertEquals(
      collect([[{ ...index }, named("read", '{"path":"a"}')], [{ ...index }, named("read", '{"path":"b"}')]]),
      [["", "read", '{"path":"a"}'], ["", "read", '{"path":"b"}']],
    );
    assertEquals(
      collect([[{ ...index }, named("status")]], [[{ ...index }, named("list")]]),
      [["", "status", ""], ["", "list", ""]],
    );
  }
  assertEquals(
    collect([[{ id: "c1" }, named("status", "")]], [[{ id: "c2" }, named("status", "")]]),
    [["c1", "status", ""], ["c2", "status", ""]],
  );
});

Deno.test("ToolCallPieces separates two calls with one id", () => {
  for (const index of [{ index: 0 }, {}]) {
    assertEquals(
      collect(
        [[{ ...index, id: "c1" }, named("read", '{"path":"a"}')]],
        [[{ ...index, id: "c1" }, named("read", '{"path":"b"}')]],
        [[{ ...index, id: "c1" }, named("list", "{}")]],
      ),
      [["c1", "read", '{"path":"a"}'], ["c1", "read", '{"path":"b"}'], ["c1", "list", "{}"]],
    );
  }
});

Deno.test("ToolCallPieces keeps a call one whose id changes with every piece", () => {
  assertEquals(
    collect(
      [[{ index: 0, id: "x1" }, named("read", "")]],
      [[{ index: 0, id: "x2" }, named("read", '{"path":')]],
      [[{ index: 0, id: "x3" }, args('"a"}')]],
      [[{ index: 0, id: "x4" }, named("read", "")]],
    ),
    [["x1", "read", '{"path":"a"}']],
  );
});

Deno.test("ToolCallPieces goes on by id where pieces of two calls mix without an index", () => {
  assertEquals(
    collect(
      [[{ id: "c1" }, named("read", "")], [{ id: "c2" }, named("read", "")]],
      [[{ id: "c1" }, args('{"path":"a"}')]],
      [[{ id: "c2" }, args('{"path":"b"}')]],
    ),
    [["c1", "read", '{"path":"a"}'], ["c2", "read", '{"path":"b"}']],
  );
});

Deno.test("ToolCallPieces reads a flat form, a numeric id, and passes over what is no call", () => {
  const calls = new ToolCallPieces();
  for (const value of [undefined, null, "x", 7, [null, "x", []]]) calls.add(value);
  calls.add([{ index: 0, id: 7, name: "read", arguments: { path: "a" } }]);
  assertEquals(calls.drafts.map(({ id, name, pieces }) => [id, name, pieces]), [["7", "read", ['{"path":"a"}']]]);
});

Deno.test("joinPieces() reads arguments that are sent again whole, only where that explains every piece", () => {
  const whole = '{"path":"a.txt"}';
  assertEquals(joinPieces(['{"path":', '{"path":"a', whole]), whole);
  assertEquals(joinPieces([whole, whole]), whole);
  assertEquals(joinPieces([whole, whole, whole]), whole);
  assertEquals(joinPieces(['{"path":', '"a.txt"}', whole]), whole);
  assertEquals(joinPieces(["{}", '{"path":', '"a.txt"}']), whole);
  assertEquals(joinPieces(['{"path":"{', '{"}']), '{"path":"{{"}');
});

Deno.test("joinPieces() leaves what is broken broken", () => {
  for (
    const pieces of [['{"a":', '{"b":1}'], ['{"a":1', "}}"], ['{"a":1}', '{"b":2}'], ["", '{"a"'], ['{"x"', '{"x"']]
  ) {
    assertEquals(joinPieces(pieces), pieces.join(""));
  }
  assertEquals(joinPieces([]), "");
});
