import { assert, assertEquals } from "@std/assert";
import { errorIn } from "../../src/llm/error_body.ts";
import { excerpt, isHtml, shownUrl } from "../../src/llm/foreign_text.ts";

const KEY = "sk-canary-7f3/9+a";

Deno.test("excerpt() shows one short line without control characters", () => {
  assertEquals(excerpt(" a\u001b[2J\r\nb\u202e\u200bc\u0085 ", {}), "a [2J b c");
  assertEquals(excerpt("🙂".repeat(600), {}), `${"🙂".repeat(500)}…`);
});

Deno.test("excerpt() hides the key in each of its forms, also where a long text is cut", () => {
  const forms = [KEY, encodeURIComponent(KEY), btoa(KEY), btoa(KEY).replaceAll("=", "").replaceAll("+", "-")];
  for (const form of forms) assertEquals(excerpt(`a ${form} b`, { apiKey: KEY }).replace(/=+/, ""), "a [key] b");
  for (let blanks = 7900; blanks < 8100; blanks++) {
    const shown = excerpt(`${" ".repeat(blanks)}${KEY}`, { apiKey: KEY });
    assert(!shown.includes("canary"), shown);
  }
});

Deno.test("excerpt() takes a short key for a placeholder, and leaves the words that hold it", () => {
  assertEquals(excerpt("the test failed", { apiKey: "test" }), "the test failed");
});

Deno.test("shownUrl() leaves out what may be secret in an address", () => {
  assertEquals(shownUrl("https://me:pw@h:8443/v1/x?key=secret#part"), "https://h:8443/v1/x");
});

Deno.test("isHtml() knows a web page by its beginning", () => {
  for (const page of ["<html>", " \n<!DOCTYPE html>", "<head>", "<!-- x -->", "<?xml"]) assert(isHtml(page), page);
  for (const text of ["", "a <html>", '{"html":1}', "<answer>"]) assert(!isHtml(text), text);
});

Deno.test("errorIn() finds nothing where nothing failed", () => {
  for (
    const value of [null, 7, "x", {}, [], [1, 2], { choices: [] }, { message: {} }, { type: "ping" }, { detail: "" }]
  ) {
    assertEquals(errorIn(value), undefined, JSON.stringify(value));
  }
  assertEquals(errorIn({ choices: [{}], message: "x" }), undefined);
});

Deno.test("errorIn() reads flags, lists and objects without words", () => {
  assertEquals(errorIn({ error: true, message: "it broke" })?.message, "it broke");
  assertEquals(errorIn({ errors: [{ message: "a" }, { message: "b" }] })?.message, '[{"message":"a"},{"message":"b"}]');
  assertEquals(errorIn({ error: { foo: 1 } })?.message, '{"foo":1}');
  assertEquals(errorIn({ error: { message: "x", code: "429", type: "requests" } }), {
    message: "x",
    status: 429,
    code: "requests",
  });
});
