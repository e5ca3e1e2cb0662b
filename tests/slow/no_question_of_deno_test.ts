import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path/from-file-url";
import { chatReply, FakeService } from "../testing/fake_service.ts";
import { Box } from "../testing/program.ts";

/** Calls that lead out of the grants below, of every kind. */
const CALLS: [name: string, args: unknown][] = [
  ["read_file", { path: "/etc/passwd" }],
  ["read_file", { path: "../outside.txt" }],
  ["read_file", { path: "~/.ssh/id_rsa" }],
  ["list_files", { path: "/" }],
  ["find_files", { pattern: "*", path: "/etc" }],
  ["search_files", { pattern: "root", path: "/etc" }],
  ["search_files", { pattern: "Shop" }],
  ["write_file", { path: "/tmp/outside.txt", content: "x" }],
  ["edit_file", { path: "/etc/hosts", old_string: "a", new_string: "b" }],
  ["run_command", { command: "git status" }],
  ["run_command", { command: "sleep 9", timeout_ms: 50 }],
  ["fetch_url", { url: "http://example.com/" }],
];

/** Plays all calls in a pseudo terminal in which Deno could ask, and returns what stood on the screen. */
async function onTerminal(mode: string): Promise<{ screen: string; requests: number }> {
  await using box = await Box.create({ "README.md": "# Shop\n" });
  await using service = new FakeService(
    ...CALLS.map(([name, args], i) => chatReply({ calls: [{ id: `c${i}`, name, args }] })),
    "finished",
  );
  const host = new URL(service.url).host;
  const grants = [
    `--allow-read=${box.project}`,
    `--allow-write=${box.project}`,
    "--allow-run=sh",
    `--allow-net=${host},example.com:80`,
    "--allow-env",
  ];
  const main = fromFileUrl(new URL("../../main.ts", import.meta.url));
  const words = [
    Deno.execPath(),
    "run",
    "--quiet",
    "--no-check",
    "--cached-only",
    ...grants,
    main,
    "-p",
    "--mode",
    mode,
  ];
  const line = [...words, "--allow", "net(example.com:80)", "go"].map((word) => `'${word}'`).join(" ");
  const { stdout } = await new Deno.Command("script", {
    args: ["-qfec", `stty rows 24 cols 100; ${line}`, "/dev/null"],
    cwd: box.project,
    env: {
      HOME: box.home(),
      DEEPSEEK_API_KEY: "test-key-1234567890",
      DEEPSEEK_BASE_URL: service.url,
      SHELL: "/bin/sh",
    },
    stdin: "null",
  }).output();
  return { screen: new TextDecoder().decode(stdout), requests: service.requests.length };
}

function hasScript(): boolean {
  try {
    const { stdout } = new Deno.Command("script", { args: ["--version"] }).outputSync();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

for (const mode of ["ask", "full"]) {
  Deno.test({
    name: `Deno's own permission question never appears in a terminal, in ${mode} mode under scoped grants`,
    ignore: !hasScript(),
    async fn() {
      const { screen, requests } = await onTerminal(mode);
      assert(!screen.includes("Deno requests"), screen);
      assertEquals(requests, CALLS.length + 1, screen);
    },
  });
}
