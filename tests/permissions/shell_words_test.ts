import { assert, assertEquals } from "@std/assert";
import { planProblem } from "../../src/permissions/plan_commands.ts";
import { readCommand, readSequence } from "../../src/permissions/shell_words.ts";

Deno.test("readCommand() reads literal words as a shell does", () => {
  const table: [text: string, words: string[]][] = [
    ["git status", ["git", "status"]],
    ["  git\tlog   -n  5 ", ["git", "log", "-n", "5"]],
    [`echo 'a  b' "c d" e\\ f g"h"'i'`, ["echo", "a  b", "c d", "e f", "ghi"]],
    [`grep '$x' "\\$y" \\*.ts`, ["grep", "$x", "$y", "*.ts"]],
    [`echo "" ''`, ["echo", "", ""]],
    [`echo "a\\b\\"c\\\\d"`, ["echo", 'a\\b"c\\d']],
    ["npm test 2>&1", ["npm", "test"]],
    ["npm test >/dev/null 2>/dev/null", ["npm", "test"]],
    ["echo a=b --x=y a#b", ["echo", "a=b", "--x=y", "a#b"]],
    ["echo grüße 日本 👍", ["echo", "grüße", "日本", "👍"]],
    ["git log # the last ones", ["git", "log"]],
    ["\\rm x", ["rm", "x"]],
    ['r""m x', ["rm", "x"]],
  ];
  for (const [text, words] of table) {
    assertEquals([text, readCommand(text)], [text, { understood: true, value: words }]);
  }
});

Deno.test("readCommand() does not understand what a shell would expand, redirect or chain", () => {
  const texts = [
    ...["git status; rm x", "a && b", "a || b", "a | b", "a & b", "a &", "a\nb", "a\rb", "(a)", "{ a; }", "a |& b"],
    ...[
      "echo $(id)",
      "echo `id`",
      "cat <(id)",
      "echo $x",
      'echo "$x"',
      'echo "`id`"',
      "echo ${x}",
      "echo $'a'",
      'echo $"a"',
    ],
    ...[
      "echo a > f",
      "echo a >> f",
      "echo a >| f",
      "cat < f",
      "cat <> f",
      "cat << E",
      "cat <<< x",
      "a >&2",
      "a 2>&3",
      "a &>f",
    ],
    ...["a >/dev/nullx", "a >/dev/null.txt", "a 3>/dev/null", "a >'/dev/null' b > c", "1>&2 a"],
    ...[
      "A=b git status",
      "PATH+=x ls",
      "a[0]=b ls",
      "ls *",
      "ls a?b",
      "ls [ab]",
      "ls ~/x",
      "ls ~",
      "echo {a,b}",
      "{rm,x}",
    ],
    ...[
      "echo 'a",
      'echo "a',
      "echo a\\",
      "echo $(a",
      "! ls",
      "if a",
      "for x",
      "time ls",
      "[[ a ]]",
      "case x",
      "function f",
    ],
    ...["ls\u00a0-l", "ls\u2003x", "ls \u202ex", "ls a\u200bb", "ls 'a\x1b'", "ls\0", "ls \ud800", "ls 'a\nb'", ""],
    ...["   ", "# x", "; ls", "ls;", ">/dev/null ls", "x".repeat(200_000)],
  ];
  for (const text of texts) assertEquals([text, readCommand(text).understood], [text, false]);
});

Deno.test("readSequence() reads plain commands in a row", () => {
  assertEquals(readSequence("cd a && git log | head -n 5; ls || true"), {
    understood: true,
    value: [["cd", "a"], ["git", "log"], ["head", "-n", "5"], ["ls"], ["true"]],
  });
  for (const text of ["a & b", "a | | b", "a && ; b", "| a", "a | (b)", "a; x=1"]) {
    assertEquals([text, readSequence(text).understood], [text, false]);
  }
});

Deno.test("planProblem() accepts what only reads", () => {
  const texts = [
    ...[
      "ls -la src",
      "cat a b",
      "head -n 20 a",
      "tail -n +5 a",
      "tail -50 a",
      "wc -l a",
      "grep -rn 'x y' src",
      "sort -k2,2n a",
    ],
    ...["rg -n 'foo' src --glob '*.ts'", "rg --files", "find . -name '*.ts' -not -path './x/*'", "sed -n '10,20p' a"],
    ...[
      "git status --short",
      "git --no-pager log --oneline -n 5",
      "git log -5 --stat",
      "git diff --cached",
      "git show HEAD:a",
    ],
    ...[
      "git branch -a",
      "git blame -L 1,5 a",
      "git ls-files | wc -l",
      "git stash list",
      "git rev-parse --show-toplevel",
    ],
    ...[
      "cd src && ls",
      "uniq -c a",
      "date +%F",
      "node --version",
      "du -sh .",
      "git grep -n x",
      "true",
      "cat a 2>/dev/null",
    ],
  ];
  for (const text of texts) assertEquals([text, planProblem(text)], [text, undefined]);
});

Deno.test("planProblem() refuses the reading commands that write or run", () => {
  const texts = [
    ...[
      "find . -exec rm {} +",
      "find . -fprintf m x",
      "find . -delete",
      "find . -ok rm x",
      "sed -n e",
      "sed 1e a",
      "sed -n 'w m' a",
    ],
    ...[
      "sed -i s/a/b/ a",
      "sed -n 1p -i a",
      "sort -o m a",
      "sort --output=m a",
      "sort --outp m a",
      "sort --compress-program=x a",
    ],
    ...[
      "tar --checkpoint-action=exec=x -cf m a",
      "xargs rm",
      "env",
      "env rm x",
      "nice rm",
      "timeout 1 rm x",
      "uniq a b",
    ],
    ...[
      "git -c alias.x=!id x",
      "git -C OUT status",
      "git -c core.pager=x log",
      "git log --output=m",
      "git log --outpu=m",
    ],
    ...["git diff --no-index --output=m a b", "git diff -U --output=m", "git branch x", "git branch -d x", "git tag x"],
    ...[
      "git tag -n -d x",
      "git stash",
      "git stash list x",
      "git stash drop",
      "git checkout a",
      "git remote add x y",
      "git grep -O x",
    ],
    ...["git grep --open-files-in-pager=x y", "git cat-file --textconv x", "git ls-files --bogus", "git", "git commit"],
    ...[
      "tee m",
      "shuf -o m",
      "iconv -o m a",
      "xxd a b",
      "xxd -r a",
      "openssl rand -out m 4",
      "split a",
      "csplit a 1",
      "dd if=a of=m",
    ],
    ...[
      "vi -c x",
      "ssh -oProxyCommand=x h",
      "rg --pre x y",
      "rg --pre=x y",
      "rg -z x",
      "tree -o m",
      "file -C",
      "date -s 1",
    ],
    ...[
      "date 01010000",
      "hostname x",
      "tail -f a",
      "awk '{print}' a",
      "less a",
      "ls > m",
      "cat $(id)",
      "ls & rm x",
      "node x.js",
    ],
    ...[
      "node --version x",
      "python3 -c 1",
      "constructor x",
      "git constructor",
      "__proto__",
      "bash -c ls",
      "rm x",
      "uniq -- a b",
    ],
  ];
  for (const text of texts) assert(planProblem(text) !== undefined, text);
});
