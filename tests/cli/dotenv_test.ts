import { assertEquals } from "@std/assert";
import { readDotenv } from "../../src/cli/dotenv.ts";

const names = new Set(["A", "B", "C", "D", "E", "F", "G", "H", "I"]);

Deno.test("readDotenv() reads quotes, hash signs, export and blanks", () => {
  const text = `# comment
A="a b"
B=x#y
C=x # note
export D="it's # fine"
E=
  F = v  
G='{"k": "a#b"}'
H="one\\ntwo"
I='one\\ntwo'
`;
  assertEquals(readDotenv(text, names), {
    A: "a b",
    B: "x", // an unquoted value ends at the hash sign, as the library has it
    C: "x",
    D: "it's # fine",
    F: "v",
    G: '{"k": "a#b"}',
    H: "one\ntwo",
    I: "one\\ntwo",
  });
});

Deno.test("readDotenv() expands nothing, neither from the environment nor from the file", () => {
  const text = "A=${A}\nB=$HOME\nC=\"${HOME:-x} $PATH\"\nD='$HOME'\nE=\\$HOME\nF=$A";
  assertEquals(readDotenv(text, names), {
    A: "${A}",
    B: "$HOME",
    C: "${HOME:-x} $PATH",
    D: "$HOME",
    E: "\\$HOME",
    F: "$A",
  });
});

Deno.test("readDotenv() gives only the accepted names", () => {
  assertEquals(readDotenv("PATH=/tmp\nA=1\nLD_PRELOAD=x\r\nB=2\r\n", new Set(["A", "B"])), { A: "1", B: "2" });
});

Deno.test("readDotenv() survives a file that is no .env file", () => {
  assertEquals(readDotenv("\ufeff<html>\n\0\n=\n A\n'\"", names), {});
});
