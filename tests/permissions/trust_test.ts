import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path/join";
import { readSavedRules } from "../../src/cli/saved_rules.ts";
import { ConfigError } from "../../src/llm/errors.ts";
import { writePrivateFile } from "../../src/permissions/private_file.ts";
import {
  NO_TRUST,
  parseTrustStore,
  type ProjectEntry,
  trustState,
  withoutTrust,
  withTrust,
} from "../../src/permissions/trust.ts";
import { readTrustFile, updateTrustFile } from "../../src/permissions/trust_file.ts";

const NOT_REGULAR = "it is not a regular file";
const hook: ProjectEntry = { kind: "hook", name: "before_tool[0]", content: "deno lint" };
const server: ProjectEntry = { kind: "mcp_server", name: "files", content: '{"command":"x"}' };
const now = new Date(0);

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("trustState() trusts what was said yes to, to the byte, in that folder alone", async () => {
  assertEquals(await trustState("/repo", [], NO_TRUST), { state: "empty" });
  assertEquals(await trustState("/repo", [hook], NO_TRUST), { state: "unknown", entries: [hook] });
  const store = await withTrust(NO_TRUST, "/repo", { entries: [hook, server], now });
  assertEquals(await trustState("/repo", [hook, server], store), { state: "trusted" });
  assertEquals(await trustState("/repo", [hook], store), { state: "trusted" });
  const other = { ...hook, content: "deno lint " };
  assertEquals(await trustState("/repo", [other, server], store), { state: "changed", entries: [other] });
  const added = { ...hook, name: "before_tool[1]" };
  assertEquals(await trustState("/repo", [hook, added], store), { state: "changed", entries: [added] });
  for (const folder of ["/repo/nested", "/", "/repo2", "/REPO", "__proto__", "constructor"]) {
    assertEquals((await trustState(folder, [hook], store)).state, "unknown");
  }
});

Deno.test("trustState() asks again when one of two entries of a name changes", async () => {
  const store = await withTrust(NO_TRUST, "/repo", { entries: [hook, hook], now });
  assertEquals((await trustState("/repo", [hook, hook], store)).state, "trusted");
  assertEquals((await trustState("/repo", [hook, { ...hook, content: "rm" }], store)).state, "changed");
  assertEquals((await trustState("/repo", [hook], store)).state, "changed");
});

Deno.test("withTrust() replaces a folder's trust and withoutTrust() ends it", async () => {
  const first = await withTrust(NO_TRUST, "/repo", { entries: [hook], now });
  const second = await withTrust(first, "/repo", { entries: [server], now });
  assertEquals((await trustState("/repo", [hook], second)).state, "changed");
  assertEquals((await trustState("/repo", [server], withoutTrust(second, "/repo"))).state, "unknown");
});

Deno.test("parseTrustStore() refuses what is not a whole store", () => {
  const bad = [
    ...["", "null", "[]", "{}", '{"version":2,"folders":{}}', '{"version":1}', '{"version":1,"folders":{"/a":{}}}'],
    '{"version":1,"folders":{"/a":{"trustedAt":"x","entries":{"hook:x":true}}}}',
    '{"version":1,"folders":{"/a":{"trustedAt":"x","entries":{"hook:x":"abc"}}}}',
  ];
  for (const text of bad) assertThrows(() => parseTrustStore(text), SyntaxError);
});

Deno.test("the trust file keeps answers for the next run, readable by its owner alone", () =>
  withFolder(async (folder) => {
    const path = `${folder}/config/trust.json`;
    assertEquals(await readTrustFile(path), { store: NO_TRUST });
    await updateTrustFile(path, (store) => withTrust(store, "/a", { entries: [hook], now }));
    await updateTrustFile(path, (store) => withTrust(store, "/b", { entries: [server], now }));
    const { store } = await readTrustFile(path);
    assertEquals(Object.keys(store.folders), ["/a", "/b"]);
    assertEquals((await trustState("/a", [hook], store)).state, "trusted");
    if (Deno.build.os !== "windows") {
      assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
      assertEquals((await Deno.stat(`${folder}/config`)).mode! & 0o777, 0o700);
    }
    assertEquals(Array.from(Deno.readDirSync(`${folder}/config`), ({ name }) => name), ["trust.json"]);
  }));

Deno.test("a damaged trust file trusts nothing and is kept beside the new one", () =>
  withFolder(async (folder) => {
    const path = `${folder}/trust.json`;
    await Deno.writeTextFile(path, '{"version":1,"fol');
    const { store, problem } = await readTrustFile(path);
    assertEquals(store, NO_TRUST);
    assert(problem !== undefined);
    await updateTrustFile(path, (store) => withTrust(store, "/a", { entries: [hook], now }));
    assertEquals(await Deno.readTextFile(`${path}.damaged`), '{"version":1,"fol');
    assertEquals((await readTrustFile(path)).problem, undefined);
  }));

Deno.test("writePrivateFile() replaces a link instead of following it, and leaves nothing behind when it fails", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/victim`, "kept");
    await Deno.symlink("victim", `${folder}/file`);
    await writePrivateFile(`${folder}/file`, "new");
    assertEquals(await Deno.readTextFile(`${folder}/victim`), "kept");
    assertEquals(await Deno.readTextFile(`${folder}/file`), "new");
    await Deno.mkdir(`${folder}/folder/full`, { recursive: true });
    await assertRejects(() => writePrivateFile(`${folder}/folder`, "x"));
    assertEquals(Array.from(Deno.readDirSync(folder), ({ name }) => name).toSorted(), ["file", "folder", "victim"]);
  }));

Deno.test({
  name: "a pipe in the place of a file of ours is not waited for",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withFolder(async (folder) => {
      for (const name of ["trust.json", "permissions.json"]) {
        const fill = `mkfifo ${name} && exec echo '{"version":1,"folders":{},"allow":[]}' > ${name}`;
        const writer = new Deno.Command("sh", { args: ["-c", fill], cwd: folder }).spawn(); // waits for a reader
        while (!await Deno.stat(join(folder, name)).then(() => true, () => false));
        if (name === "trust.json") assertEquals((await readTrustFile(join(folder, name))).problem, NOT_REGULAR);
        else assertThrows(() => readSavedRules(folder), ConfigError, NOT_REGULAR);
        writer.kill();
        await writer.status;
      }
    }),
});
