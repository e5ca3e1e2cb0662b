import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Match, matchCommand } from "../../src/permissions/command_match.ts";
import { commandsIn } from "../../src/permissions/shell_commands.ts";
import { ShellSyntaxError } from "../../src/permissions/shell_text.ts";

/** What a rule that forbids these words makes of a text. */
function match(words: string[], text: string, open = true): Match {
  const { commands, unclear } = commandsIn(text);
  const matches = commands.map((command) => matchCommand({ words, open }, command));
  return matches.includes("yes") ? "yes" : matches.includes("maybe") || unclear !== undefined ? "maybe" : "no";
}

Deno.test("commandsIn() finds a command wherever it stands", () => {
  const texts = [
    ...[
      "rm x",
      "git status; rm x",
      "a && rm x",
      "a || rm x",
      "a | rm x",
      "a & rm x",
      "a\nrm x",
      "a\r\nrm x",
      "a\rrm x",
    ],
    ...[
      "(ls; rm x)",
      "{ ls; rm x; }",
      "! rm x",
      "if rm x; then b; fi",
      "if a; then rm x; fi",
      "while a; do rm x; done",
    ],
    ...["for f in a b; do rm $f; done", "case a in a) rm x;; esac", "case a in (a) rm x;; esac", "f() { rm x; }; f"],
    ...[
      "function f { rm x; }",
      "until rm x; do b; done",
      "coproc rm x",
      "a |& rm x",
      "a &> f rm x",
      ">f rm x",
      "2>&1 rm x",
    ],
    ...["echo $(rm x)", "echo `rm x`", 'echo "$(rm x)"', 'echo "`rm x`"', "cat <(rm x)", "tee >(rm x)", "x=$(rm x)"],
    ...[
      "echo ${y:-$(rm x)}",
      'echo "${y:-`rm x`}"',
      "echo $(echo $(rm x))",
      "echo `echo \\`rm x\\``",
      "echo $((1 + $(rm x)))",
    ],
    ...[
      "cat << E\n$(rm x)\nE\n",
      "cat <<-E\n\t`rm x`\n\tE\n",
      "cat <<'E'\nit's\nE\nrm x",
      "cat <<E\na\nE\nrm x",
      "cat << E; rm x\nE\n",
    ],
    ...["echo > $(rm x)", "A=b rm x", "A=b B=c rm x", "A=$(rm x) ls", "a[0]=x rm y", "r\\\nm x", "ls # it's\nrm x"],
    ...[
      "/bin/rm x",
      "\\rm x",
      'r""m x',
      "'rm' x",
      "r'm' x",
      "RM x",
      "./rm x",
      "rm.exe x",
      "command rm x",
      "builtin rm x",
    ],
    ...[
      "env rm x",
      "env -i A=b rm x",
      "nice rm x",
      "nice -n 5 rm x",
      "timeout 1 rm x",
      "timeout -s KILL 1 rm x",
      "xargs rm",
    ],
    ...[
      "a | xargs -0 -n 1 rm -f",
      "find . -exec rm {} +",
      "find . -name x -execdir rm {} \\;",
      "sudo rm x",
      "sudo -u root rm x",
    ],
    ...[
      "busybox rm x",
      "exec rm x",
      "nohup rm x &",
      "time rm x",
      "time -p rm x",
      "setsid rm x",
      "stdbuf -o0 rm x",
      "doas rm x",
    ],
    ...[
      "/lib64/ld-linux-x86-64.so.2 /bin/rm x",
      "chroot / rm x",
      "flock f rm x",
      "env nice timeout 1 sudo rm x",
      "ssh h rm x",
    ],
    ...[
      "bash -c 'rm x'",
      "sh -ec 'a; rm x'",
      "bash -c \"bash -c 'rm x'\"",
      "eval rm x",
      "eval 'rm x'",
      "eval 'r''m' x",
      "su -c 'rm x'",
    ],
    ...[
      "env -S 'rm x'",
      "watch 'rm x'",
      "find . -exec sh -c 'rm \"$1\"' _ {} \\;",
      "xargs sh -c 'rm x'",
      "trap 'rm x' EXIT",
    ],
    ...[
      "timeout 1 bash -c rm",
      "script -c 'rm x'",
      "parallel rm ::: x",
      "echo a;rm x",
      "echo a&&rm x",
      "(rm x)",
      "a;;rm x",
    ],
  ];
  for (const text of texts) assertEquals([text, match(["rm"], text)], [text, "yes"]);
});

Deno.test("commandsIn() says so where a command may hide", () => {
  const texts = [
    ...[
      "$x y",
      '"$x" y',
      "$(echo rm) x",
      "r$(echo m) x",
      "`echo rm` x",
      "$'rm' x",
      "$'\\x72m' x",
      "r? x",
      "/bin/r[m] x",
    ],
    ...[
      "{rm,x}",
      "~/bin/x",
      "x=rm; $x y",
      "bash",
      "bash -s",
      "echo 'rm x' | sh",
      "bash <<< 'rm x'",
      "bash <<E\nrm x\nE\n",
    ],
    ...[
      'eval "$x"',
      "eval $x",
      'bash -c "$x"',
      "xargs",
      "a | xargs env",
      "a | xargs -I{} {} x",
      "sudo",
      "env",
      "a | xargs sh",
    ],
    ...[
      "alias x=rm\nx y",
      "shopt -s expand_aliases",
      "python3 -c 'import os'",
      "perl -e x",
      "node -e x",
      "git -c alias.x=!rm x",
    ],
    ...[
      "awk 'BEGIN { system(\"rm x\") }'",
      "sed '1e rm x' a",
      "tar -cf a b --checkpoint-action=exec=rm",
      "vim -c '!rm x'",
    ],
    ...["((1<<2))\nrm x\n2\n", "a[1 <<2]=3\nrm x\n2]=3\n", "echo $[1<<2]\nrm x\n2]\n", "cat <\\\n<E\n'\nE\nrm x # '\n"],
    ...[
      "cat <<E\nE\\\n\nrm x\nE\n",
      "cat <<$x\na\n",
      'echo "$\\\n(rm x)"',
      "echo $(case a in a) rm x;; esac)",
      "source $f",
    ],
    ...[
      `echo "\${x:-'}"; rm x; echo "'}"`,
      "a | xargs -I '{}' '{}' x",
      'sh -c "echo \'a"',
      "timeout 1 bash",
      'f() { "$@"; }; f rm x',
      "git bisect run rm x",
      "git rebase --exec 'rm x'",
      "make SHELL=rm x",
    ],
  ];
  for (const text of texts) assert(match(["rm"], text) !== "no", text);
});

Deno.test("commandsIn() leaves in peace what is no command", () => {
  const texts = [
    ...[
      "echo rm x",
      "git commit -m 'rm x; rm y'",
      "grep -r rm src",
      "echo 'a; rm x'",
      'echo "a && rm x"',
      "echo \\; rm",
    ],
    ...[
      "ls # rm x",
      "cat <<'E'\nrm x\n$(rm y)\nE\n",
      "cat <<E\nrm x\nE\n",
      'echo "rm" > rm',
      "cat < rm",
      "npm run rm",
      "rmdir x",
    ],
    ...[
      "echo '$(rm x)'",
      "deno test --filter rm",
      "python3 x.py",
      "make -j4",
      "for x in a b; do echo $x; done",
      "echo $((1 + 2))",
    ],
    ...[
      "git log --format='%h %s'",
      "[ -f x ] && echo y",
      'x=1; echo "$x ${x:-y}"',
      "awk '{ print $1 }' a",
      "cd a && cargo build",
    ],
  ];
  for (const text of texts) assertEquals([text, match(["rm"], text)], [text, "no"]);
});

Deno.test("matchCommand() looks past options, but not past other words", () => {
  const push = ["git", "push"];
  for (
    const text of ["git push", "git push origin", "git -C x push", "git --no-pager push -f", "/bin/git -C push push"]
  ) {
    assertEquals([text, match(push, text)], [text, "yes"]);
  }
  for (const text of ["git commit -m x", "git stash push", "git pull", "push git"]) {
    assertEquals([text, match(push, text)], [text, "no"]);
  }
  assertEquals(match(["git", "push", "origin"], "git -C push push origin"), "yes");
  assertEquals(match(push, "git $x"), "maybe");
  assertEquals(match(push, "git push", false), "yes");
  assertEquals(match(push, "git push origin", false), "no");
  assertEquals(match([], "anything at all"), "yes");
});

Deno.test("commandsIn() refuses what no shell would run", () => {
  for (
    const text of [
      "echo 'a",
      'echo "a',
      "echo `a",
      "echo $(a",
      "echo ${a",
      "a\0b",
      "a\ud800",
      "x\\",
      "x".repeat(1 << 20),
    ]
  ) {
    assertThrows(() => commandsIn(text), ShellSyntaxError);
  }
});

Deno.test("commandsIn() takes linear time on hostile texts", () => {
  const repeated = (piece: string) => piece.repeat(Math.floor(99_000 / piece.length));
  const pieces = [
    ...[
      "nice ",
      "nice a",
      "env A=b ",
      "nice -x ",
      "a;",
      "$(",
      "`",
      "\\`",
      "{",
      "(",
      "<<a ",
      "${a:-",
      '"$(',
      "a\n",
      "<<E\nE\n",
      "-x y ",
    ],
    ...["sh -c '", "eval ", "xargs xargs ", "find a ", "'' ", "$((", "[ ", "#\n", "a=b ", "git -c ", "bash a "],
  ];
  const started = performance.now();
  for (const piece of pieces) {
    for (
      const text of [repeated(piece), `git ${repeated(piece)}`, `nice ${repeated(piece)}`, `sh ${repeated(piece)}`]
    ) {
      try {
        match(["rm", "x"], text);
      } catch (error) {
        assert(error instanceof ShellSyntaxError);
      }
    }
  }
  const perText = (performance.now() - started) / (pieces.length * 4);
  assert(perText < 250, `a text of 99,000 characters took ${Math.round(perText)} ms on average`);
});
