import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeStyles } from "../../src/cli/ansi.ts";
import { readAllServers, readServers, secretsOf } from "../../src/cli/mcp_settings.ts";
import { serverEntriesOf } from "../../src/cli/project_trust.ts";
import { trustRows } from "../../src/cli/trust_question.ts";

const USER = { owner: "user", cwd: "/w" } as const;
const PROJECT = { owner: "project", cwd: "/w" } as const;

Deno.test("an entry is read as other clients write it", () => {
  const { servers, notices } = readServers({
    files: { command: "npx", args: ["-y", "@x/files", ""], env: { A: "b" }, cwd: "sub" },
    web: { type: "http", url: "https://x.example/mcp", headers: { "X-Key": "k" }, timeoutMs: 5, readOnly: ["a"] },
  }, USER);
  assertEquals(notices, []);
  const common = { owner: "user", disabled: false, sandbox: true, startTimeoutMs: 10_000 } as const;
  assertEquals(servers, [
    {
      name: "files",
      place: { command: ["npx", "-y", "@x/files", ""], env: { A: "b" }, cwd: "/w/sub" },
      readOnly: [],
      timeoutMs: 60_000,
      ...common,
    },
    {
      name: "web",
      place: { url: "https://x.example/mcp", headers: { "X-Key": "k" } },
      readOnly: ["a"],
      timeoutMs: 5,
      ...common,
    },
  ]);
});

Deno.test("a wrong entry is a server that is not used, and says why", () => {
  const entries = {
    "a/b": { command: "x" },
    "a b": { command: "x" },
    none: {},
    both: { command: "x", url: "http://x.example/" },
    args: { command: "x", args: "y" },
    url: { url: "file:///etc" },
    user: { url: "https://a:b@x.example/" },
    headers: { url: "http://x.example/", headers: { "bad name": "x" } },
    sse: { url: "http://x.example/", type: "sse" },
    switch: { command: "x", sandbox: "false" },
    nul: { command: "x", args: ["a\0b"] },
    time: { command: "x", timeoutMs: 0 },
  };
  const { servers, notices } = readServers(entries, USER);
  assertEquals(servers.filter(({ place }) => place !== undefined), []);
  assertEquals(notices.length, servers.length);
  assertStringIncludes(notices.join("\n"), 'The MCP server "both" is not used: it needs either "command" or "url"');
  assertStringIncludes(notices.join("\n"), 'The MCP server "switch" is not used: "sandbox" must be true or false');
});

Deno.test("a key that is not known is named, and the entry used", () => {
  const { servers, notices } = readServers({ s: { command: "x", autoApprove: ["y"], toString: 1 } }, USER);
  assertEquals(servers[0]!.place, { command: ["x"], env: {}, cwd: "/w" });
  assertEquals(notices, ['The MCP server "s": "autoApprove", "toString" cannot stand in an entry, ignored']);
});

Deno.test("a project cannot leave the sandbox, call tools harmless, or take the name of a server of yours", () => {
  const own = { mine: { command: "mine" } };
  const theirs = { mine: { command: "theirs" }, s: { command: "x", sandbox: false, readOnly: ["*"] } };
  const { servers, projectServers, notices } = readAllServers(own, theirs, "/w");
  assertEquals(servers.map(({ name }) => name), ["mine"]);
  assertEquals(projectServers.map(({ name, sandbox, readOnly }) => [name, sandbox, readOnly]), [["s", true, []]]);
  assertEquals(notices, [
    'The MCP server "s": "sandbox", "readOnly" cannot stand in a project\'s entry, ignored',
    'The MCP server "mine" of this project is not used: yours has that name',
  ]);
});

Deno.test("headers are secrets, and variables that are named like one", () => {
  const { servers } = readServers({
    web: {
      url: "https://x.example/?mode=a&key=b",
      headers: { Authorization: "Bearer abc", Accept: "application/json", "X-Any": "any" },
    },
    files: { command: "x", env: { API_TOKEN: "t0k", LOG_LEVEL: "debug", GIT_AUTHOR_NAME: "Ada" } },
    bad: {},
  }, USER);
  assertEquals(secretsOf(servers), ["Bearer abc", "abc", "any", "any", "a", "b", "t0k"]);
});

Deno.test("the question shows all that would run, and whatever decides about a server is in what is hashed", () => {
  const entry = { command: "npx", args: ["-y", "a b\u202e"], env: { A: "x\ny" }, cwd: "/w/c", timeoutMs: 9 };
  const web = { url: "http://x.example/", headers: { "X-A": "b" } };
  const { servers } = readServers({ s: entry, web, off: { command: "x", disabled: true } }, PROJECT);
  const rows = trustRows(
    { folder: "/w", changed: false, entries: serverEntriesOf(servers), sandbox: "bubblewrap" },
    { styles: makeStyles(false), columns: 120 },
  );
  assertEquals(rows, [
    "This project's .mini-agent/config.json would run or reach:",
    "  /w",
    '  MCP server "s", 10000 ms to start, 9 ms a call',
    '    npx -y "a b⟨U+202E⟩"',
    '    A="x\\ny"',
    '    in "/w/c"',
    '  MCP server "web", 10000 ms to start, 60000 ms a call',
    "    http://x.example/",
    '    X-A: "b"',
    "  They would run by themselves, MCP servers from the start on and with the network; sandbox: bubblewrap",
  ]);
  const variants = [
    entry,
    { ...entry, command: "npy" },
    { ...entry, args: ["-y", "a", "b\u202e"] },
    { ...entry, args: ["-y a b\u202e"] },
    { ...entry, env: { A: "x" } },
    { ...entry, env: { B: "x\ny" } },
    { ...entry, env: { A: "x", B: "y" } },
    { ...entry, env: { 'A="x"\nB': "y" } },
    { ...entry, cwd: "/w/d" },
    { ...entry, timeoutMs: 8 },
    { ...entry, startTimeoutMs: 8 },
    web,
    { ...web, url: "http://y.example/" },
    { ...web, headers: { "X-A": "c" } },
    { ...web, headers: { "X-B": "b" } },
  ];
  const contents = variants.map((variant) => serverEntriesOf(readServers({ s: variant }, PROJECT).servers)[0]!.content);
  assertEquals(new Set(contents).size, variants.length);
  const [disguised] = serverEntriesOf(
    readServers({ s: { url: "http:\\\\evil.example/\t\n    in /w \\x" } }, PROJECT).servers,
  );
  assertEquals(disguised!.content.split("\n").slice(1), ["http://evil.example/%20%20%20%20in%20/w%20/x"]);
});
