import { assertEquals } from "@std/assert";
import { schemaProblem } from "../../src/agent/json_schema_check.ts";

Deno.test("schemaProblem() finds nothing in schemas that a value can fit", () => {
  const list = { type: ["object", "null"], properties: { next: { $ref: "#" }, type: { type: "string" } } };
  for (
    const schema of [
      {},
      list,
      { $ref: "#/$defs/a", $defs: { a: { type: "integer" } } },
      { properties: { $ref: { type: "string" } } },
      { enum: ["strin"], default: { type: "strin" } },
      { items: true, additionalProperties: false },
    ]
  ) {
    assertEquals(schemaProblem(schema), undefined);
  }
});

const WRONG: [schema: Record<string, unknown>, problem: string][] = [
  [{ type: "strin" }, '$: "strin" is no type, the types are object, array, string, number, integer, boolean, null'],
  [{ properties: { a: { items: { type: ["string", "int"] } } } }, '$.properties.a.items: "int" is no type'],
  [{ anyOf: [{}, { type: 7 }] }, "$.anyOf[1]: 7 is no type"],
  [{ $ref: "https://example.com/s.json" }, '$: "https://example.com/s.json" points to nothing in the schema'],
  [{ items: { $ref: "#/$defs/b" }, $defs: {} }, '$.items: "#/$defs/b" points to nothing in the schema'],
  [{ $ref: "#/$defs/%zz", $defs: {} }, '$: "#/$defs/%zz" points to nothing in the schema'],
  [{ $defs: { "a b": { type: "x" } } }, '$["$defs"]["a b"]: "x" is no type'],
];

for (const [schema, problem] of WRONG) {
  Deno.test(`schemaProblem() finds: ${problem}`, () => {
    assertEquals(schemaProblem(schema)?.slice(0, problem.length), problem);
  });
}
