import { assert, assertEquals } from "@std/assert";
import { closestPlace } from "../../src/tools/closest_place.ts";

function closest(text: string, wanted: string): string | undefined {
  const place = closestPlace(text, wanted);
  return place && text.slice(place.start, place.end);
}

Deno.test("closestPlace() finds the lines of which most are there", () => {
  const text = "setUp();\nfirst();\nreturn total;\n\nsetUp();\nsecond();\nreturn total;\n";
  assertEquals(closest(text, "setUp();\nsecnd();\nreturn total;"), "setUp();\nfirst();\nreturn total;");
  assertEquals(closest(text, "setUp()\nsecond();\nreturn totals;"), "setUp();\nsecond();\nreturn total;");
});

Deno.test("closestPlace() finds a line by its words", () => {
  const text = "const a = 1;\nconst limit = compute(alpha, beta);\nconst b = 2;\n";
  assertEquals(closest(text, "let limit = compute(alpha, gamma)"), "const limit = compute(alpha, beta);");
});

Deno.test("closestPlace() finds nothing where nothing is alike", () => {
  assertEquals(closest("one\ntwo\n", "alpha beta gamma"), undefined);
  assertEquals(closest("", "alpha"), undefined);
});

Deno.test("closestPlace() ends in time in a large text", () => {
  const text = "const value = compute(alpha, beta);\n".repeat(200_000);
  const wanted = Array.from({ length: 500 }, (_, i) => `const value${i} = compute(alpha, beta, gamma${i});`).join("\n");
  const started = performance.now();
  closestPlace(text, wanted);
  const spent = performance.now() - started;
  assert(spent < 1000, `took ${spent} ms`);
});
