import { assertEquals } from "@std/assert";
import { type Key, KeyDecoder } from "../../src/cli/keys.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const press = (name: string): Key => ({ type: "press", name });
const decode = (text: string) => new KeyDecoder().push(bytes(text));

Deno.test("keys have one name, whatever the terminal sends for them", () => {
  const sent: [string, string[]][] = [
    ["enter", ["\r", "\n", "\x1bOM", "\x1b[13u"]],
    ["alt+enter", ["\x1b\r", "\x1b\n", "\x1b[13;3u", "\x1b[27;3;13~"]],
    ["shift+enter", ["\x1b[13;2u", "\x1b[27;2;13~"]],
    ["up", ["\x1b[A", "\x1bOA"]],
    ["home", ["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"]],
    ["end", ["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"]],
    ["delete", ["\x1b[3~"]],
    ["backspace", ["\x7f", "\x08", "\x1b[127u"]],
    ["alt+backspace", ["\x1b\x7f"]],
    ["ctrl+left", ["\x1b[1;5D"]],
    ["alt+right", ["\x1b[1;3C"]],
    ["ctrl+alt+shift+up", ["\x1b[1;8A"]],
    ["shift+tab", ["\x1b[Z"]],
    ["tab", ["\t"]],
    ["ctrl+a", ["\x01", "\x1b[97;5u"]],
    ["ctrl+alt+a", ["\x1b\x01"]],
    ["alt+b", ["\x1bb"]],
    ["alt+é", ["\x1bé"]],
    ["ctrl+_", ["\x1f"]],
  ];
  for (const [name, sequences] of sent) {
    for (const sequence of sequences) assertEquals(decode(sequence), [press(name)], JSON.stringify(sequence));
  }
});

Deno.test("what is read at once is taken apart", () => {
  assertEquals(decode("ab你\x1b[D\x7f\rc"), [
    { type: "text", text: "ab你" },
    press("left"),
    press("backspace"),
    press("enter"),
    { type: "text", text: "c" },
  ]);
});

Deno.test("any cut between two reads gives the same keys", () => {
  const whole = bytes("é你👨‍👩‍👧\x1b[1;5D\x1bOA\x1b\r\x1b[200~one\r\n\ttwo\x1b[201~\x1b[200~\x1b[201~x");
  const expected = joinPastes(new KeyDecoder().push(whole));
  for (let cut = 0; cut <= whole.length; cut++) {
    const decoder = new KeyDecoder();
    const keys = [...decoder.push(whole.slice(0, cut)), ...decoder.push(whole.slice(cut))];
    assertEquals(joinPastes(keys), expected, `cut at ${cut}`);
  }
  const decoder = new KeyDecoder();
  assertEquals(joinPastes([...whole].flatMap((byte) => decoder.push(Uint8Array.of(byte)))), expected, "byte by byte");
});

Deno.test("a paste is text: its line ends become one kind, tabs stay, control characters go", () => {
  assertEquals(decode("\x1b[200~a\r\nb\rc\n\td\x1b[31m\x07e\x1b[201~\r"), [
    { type: "paste", text: "a\nb\nc\n\td[31me" },
    press("enter"),
  ]);
});

Deno.test("Ctrl+C by itself ends a paste whose end got lost", () => {
  const decoder = new KeyDecoder();
  assertEquals(decoder.push(bytes("\x1b[200~never\x03 ended")), [{ type: "paste", text: "never ended" }]);
  assertEquals(decoder.push(bytes("\x03")), [press("ctrl+c")]);
  assertEquals(decoder.push(bytes("typed")), [{ type: "text", text: "typed" }]);
});

Deno.test("a lone Escape is a key only when nothing follows it", () => {
  const decoder = new KeyDecoder();
  assertEquals(decoder.push(bytes("\x1b")), []);
  assertEquals(decoder.waiting, true);
  assertEquals(decoder.flush(), [press("escape")]);
  assertEquals(decoder.waiting, false);
  assertEquals(decoder.push(bytes("[A")), [{ type: "text", text: "[A" }]);
  assertEquals(decode("\x1b\x1b[A"), [press("escape"), press("up")]);
});

Deno.test("a sequence without an end is left out, not typed", () => {
  const decoder = new KeyDecoder();
  assertEquals(decoder.push(bytes("\x1b[1;")), []);
  assertEquals(decoder.flush(), []);
  assertEquals(decoder.push(bytes("a")), [{ type: "text", text: "a" }]);
});

Deno.test("answers of the terminal and keys without a name are not typed", () => {
  assertEquals(decode("\x1b[12;5R\x1b[?62;22c\x1b]11;rgb:0/0/0\x1b\\\x1b[I\x1b[99~\x1bP1$r0m\x1b\\a"), [
    { type: "text", text: "a" },
  ]);
});

Deno.test("a paste of 1 MiB in small reads is decoded in linear time", () => {
  const decoder = new KeyDecoder();
  const piece = bytes("some words\r\n".repeat(341));
  decoder.push(bytes("\x1b[200~"));
  let length = 0;
  for (let sent = 0; sent < 1 << 20; sent += piece.length) {
    for (const key of decoder.push(piece)) length += key.type === "paste" ? key.text.length : 0;
  }
  assertEquals(length, 257 * 341 * 11);
  assertEquals(decoder.push(bytes("\x1b[201~\r")), [press("enter")]);
});

/** Where a paste is cut into parts depends on the reads. */
function joinPastes(keys: readonly Key[]): Key[] {
  const out: Key[] = [];
  for (const key of keys) {
    const last = out.at(-1);
    if (last && key.type !== "press" && last.type === key.type) {
      out.splice(-1, 1, { ...key, text: last.text + key.text });
    } else out.push(key);
  }
  return out;
}
