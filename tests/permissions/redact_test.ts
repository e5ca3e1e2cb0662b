import { assert, assertEquals } from "@std/assert";
import { REDACTED, Redactor } from "../../src/permissions/redact.ts";

const CANARY = `canary+/key "7"&ünïcode`;
const base64 = (text: string) => new TextEncoder().encode(text).toBase64();
/** Built of parts, so that no scanner takes a made-up key in this file for a real one. */
const key = (...parts: string[]) => parts.join("");
const HEX = "0123456789abcdef0123456789abcdef0123456789";

Deno.test("Redactor.redact() takes a known secret out in every form in which it travels", () => {
  const redactor = new Redactor([CANARY]);
  const forms = [
    ...[
      CANARY,
      JSON.stringify(CANARY),
      encodeURIComponent(CANARY),
      encodeURIComponent(CANARY).replace(/%../g, (c) => c.toLowerCase()),
    ],
    ...[base64(CANARY), base64(`user:${CANARY}`), base64(`ab${CANARY}xyz`), base64(`a${CANARY}\n`)],
  ];
  for (const form of forms) {
    const text = `before ${form} after ${form}.`;
    const clean = redactor.redact(text);
    assert(clean.startsWith("before ") && clean.includes(REDACTED) && clean.endsWith("."), clean);
    for (const piece of [CANARY, encodeURIComponent(CANARY), base64(CANARY), base64(CANARY).slice(4, -4)]) {
      assert(!clean.includes(piece), `${form} leaves ${piece}`);
    }
    assert(redactor.holdsKnown(text));
  }
  assert(!redactor.holdsKnown("https://x.example/canary"));
});

Deno.test("Redactor.redact() knows what looks like a key", () => {
  const redactor = new Redactor([]);
  const keys = [
    ...[
      key("sk", "-", HEX),
      key("sk", "-ant-api03-", HEX),
      key("sk", "_live_", HEX),
      key("ghp", "_", HEX),
      key("github", "_pat_", HEX),
    ],
    ...[
      key("glpat", "-", HEX),
      key("AKIA", "ABCDEFGH12345678"),
      key("AIza", HEX.slice(0, 35)),
      key("xoxb", "-", HEX),
      key("hf", "_", HEX),
    ],
    key("npm", "_", HEX.slice(0, 36)),
    key("eyJ", HEX, ".eyJ", HEX, ".", HEX),
    key("-----BEGIN RSA ", "PRIVATE KEY-----\n", HEX, "\n", HEX, "\n-----END RSA ", "PRIVATE KEY-----"),
    key("-----BEGIN ", "PRIVATE KEY-----\n", HEX),
  ];
  for (const secret of keys) assertEquals([secret, redactor.redact(`a "${secret}"`)], [secret, `a "${REDACTED}"`]);
  assertEquals(redactor.redact(`authorization: Bearer ${HEX}\nx: y`), `authorization: Bearer ${REDACTED}\nx: y`);
  assertEquals(redactor.redact(`{"x-api-key":"${HEX}"}`), `{"x-api-key":"${REDACTED}"}`);
  assertEquals(redactor.redact("postgres://me:hunter22@db.example/x"), `postgres://me:${REDACTED}@db.example/x`);
});

Deno.test("Redactor.redact() leaves ordinary text alone, and values that are too short to be secrets", () => {
  const redactor = new Redactor(["test", " short ", ""]);
  const texts = [
    ...[
      "a test is short",
      "task-list-item-checkbox-wrapper-2",
      "sk-learn",
      "risk-assessment-of-the-new-process-1",
      HEX,
    ],
    ...[
      "https://example.com:8080/a@b",
      "git@github.com:a/b.git",
      "authorization: none",
      "-----BEGIN CERTIFICATE-----\nabc",
      "eyJhbGc",
    ],
  ];
  for (const text of texts) assertEquals(redactor.redact(text), text);
});

/** Every way to cut the text into two, and single characters. */
function* cuts(text: string): Generator<string[]> {
  for (let i = 0; i <= text.length; i++) yield [text.slice(0, i), text.slice(i)];
  yield [...text];
}

Deno.test("RedactionStream finds a secret wherever the text is cut", () => {
  const redactor = new Redactor([CANARY.replaceAll(" ", "_")]);
  const texts = [
    `one ${CANARY.replaceAll(" ", "_")} two`,
    `say ${base64(CANARY.replaceAll(" ", "_"))}`,
    `a ${key("sk", "-", HEX)}, b`,
    `Authorization: Bearer ${HEX} end`,
    `x-api-key : ${HEX}`,
    `${key("-----BEGIN RSA ", "PRIVATE KEY-----\n", HEX, "\n", HEX, "\n-----END RSA ", "PRIVATE KEY-----")} and on`,
    `plain words, 日本 and 👩\u200d💻 only\n`,
    "see postgres://me:hunter22@db.example/x and so on",
    `TOKEN_${key("ghp", "_", HEX)}; X_API-KEY=${HEX}`,
    `${key("npm", "_", HEX.slice(0, 36))} in a risk-free-0123456789-abcdefghijk word`,
  ];
  for (const text of texts) {
    for (const pieces of cuts(text)) {
      const stream = redactor.stream();
      assertEquals(pieces.map((piece) => stream.push(piece)).join("") + stream.end(), redactor.redact(text));
    }
  }
});

Deno.test("RedactionStream passes ordinary words on at once, and holds back what may begin a key", () => {
  const stream = new Redactor([CANARY]).stream();
  assertEquals(stream.push("Hello wor"), "Hello wor");
  assertEquals(stream.push("ld, how"), "ld, how");
  assertEquals(stream.push(` ${CANARY.slice(0, 3)}`), " ");
  assertEquals(stream.push(CANARY.slice(3, 9)), "");
  assertEquals(stream.push(CANARY.slice(9)) + stream.push(" and on "), "[redacted] and on ");
  assertEquals(stream.push("a ta" + "sk"), "a ta");
  assertEquals(stream.push(" done\n"), "sk done\n");
  assertEquals(stream.push("-----BEGIN CERTIFICATE-----\n"), "-----BEGIN CERTIFICATE-----\n");
  assertEquals(stream.end(), "");
});

Deno.test("RedactionStream passes on a word without end and still finds the secret in it", () => {
  const secret = "A1b2C3d4E5f6G7h8";
  const redactor = new Redactor([secret]);
  const filler = "abcdefghij".repeat(3000);
  for (const size of [1, 7, 1000, 50_000]) {
    for (const offset of [0, 3, 8]) {
      const text = filler.slice(offset) + secret + filler + key("sk", "-", HEX, HEX) + filler;
      const stream = redactor.stream();
      let out = "";
      let held = 0;
      for (let i = 0; i < text.length; i += size) {
        const piece = text.slice(i, i + size);
        held = Math.max(held, i + piece.length - out.length);
        out += stream.push(piece);
      }
      out += stream.end();
      assert(!out.includes(secret));
      assertEquals(out.startsWith(filler.slice(offset) + REDACTED), true);
      assert(held < 20_000 + size, `${held} characters were kept back`);
    }
  }
});

Deno.test("RedactionStream finds a secret wherever it must let a long word go", () => {
  const known = "A1b2C3d4E5f6G7h8";
  const redactor = new Redactor([known]);
  for (const secret of [known, key("sk", "-", HEX)]) {
    // the stream lets go at 16,384 characters, of all but the last 1,024
    for (let start = 15_300; start < 16_450; start += 7) {
      const text = `${"/".repeat(start)}${secret}/${"/".repeat(3000)}`;
      const stream = redactor.stream();
      let out = "";
      for (let i = 0; i < text.length; i += 64) out += stream.push(text.slice(i, i + 64));
      out += stream.end();
      // not assertEquals: nobody reads two such texts side by side
      assert(out === `${"/".repeat(start)}${REDACTED}/${"/".repeat(3000)}`, `${secret} after ${start} characters`);
    }
  }
});

Deno.test("Redactor takes linear time on hostile texts", () => {
  const redactor = new Redactor([CANARY, "another-secret-value"]);
  const pieces = [
    ...[
      "eyJ",
      "eyJaaaaaaaaaaaa.",
      "sk-",
      "sk-a",
      "://a:",
      "://",
      "authorization:",
      "authorization: ",
      "-----BEGIN PRIVATE KEY-----\n",
    ],
    ...["-----BEGIN ", "gh", "a", " ", "xoxb-", "api-key=bearer ", "canary", "Y2FuYXJ5"],
  ];
  for (const piece of pieces) {
    const text = piece.repeat(Math.floor(200_000 / piece.length));
    const started = performance.now();
    redactor.redact(text);
    const stream = redactor.stream();
    for (let i = 0; i < text.length; i += 500) stream.push(text.slice(i, i + 500));
    stream.end();
    const ms = performance.now() - started;
    assert(ms < 2000, `${JSON.stringify(piece)} took ${Math.round(ms)} ms`);
  }
});
