/**
 * Fills the dependency folder vendor/: from JSR, or from npm where JSR is out of reach. Does nothing when the folder
 * is complete. The folder is built aside and moved into place whole, so what is there is never half of it.
 *
 *     deno task vendor [--from jsr|npm]
 *
 * @module
 */
import { run, runDeno } from "./command.ts";
import { PACKAGES, STAMP, TARBALLS } from "./std/packages.ts";
import { readTarball, verifyIntegrity } from "./std/tarball.ts";
import { type Files, packageTree } from "./std/tree.ts";

const ROOT = new URL("../", import.meta.url);
const VENDOR = new URL("vendor/", ROOT);
const WORK = new URL(".deno/vendor/", ROOT); // on the same disk, so that a folder can be moved
const LEFT_MS = 3600_000;
const PROBE_MS = 10_000; // one small file; a network that takes longer is taken for none
const JSR_MS = 30_000;
const NPM_MS = 120_000;

/** Imports something from every package, and the folders of @std/path that its main file leaves out. */
const ENTRY = [
  ...PACKAGES.map(({ name, version }) => `jsr:@std/${name}@${version}`),
  ...PACKAGES.filter(({ name }) => name === "path").flatMap(({ version }) =>
    ["posix", "windows"].map((folder) => `jsr:@std/path@${version}/${folder}`)
  ),
].map((specifier) => `import ${JSON.stringify(specifier)};\n`).join("");

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const from = args[0] === "--from" ? args[1] : undefined;
  if (args.length !== (from === undefined ? 0 : 2) || ![undefined, "jsr", "npm"].includes(from)) {
    console.error("Usage: deno task vendor [--from jsr|npm]");
    return 2;
  }
  if (from === undefined && await isFile(new URL(STAMP, VENDOR))) return 0;
  const work = new URL(`${crypto.randomUUID()}/`, WORK);
  try {
    await removeLeftovers();
    await Deno.mkdir(work, { recursive: true });
    await fill(work, from);
    await moveIntoPlace(new URL("vendor/", work), work);
    return 0;
  } catch (error) {
    console.error(`mini-agent: ${error instanceof Error ? error.message : error}`);
    return 1;
  } finally {
    await Deno.remove(work, { recursive: true }).catch(() => {});
  }
}

/** Removes what runs that were killed have left. */
async function removeLeftovers(): Promise<void> {
  try {
    for await (const { name } of Deno.readDir(WORK)) {
      const folder = new URL(name, WORK);
      const { birthtime, mtime } = await Deno.stat(folder);
      const age = Date.now() - (birthtime ?? mtime ?? new Date()).getTime();
      if (age > LEFT_MS) await Deno.remove(folder, { recursive: true });
    }
  } catch (error) {
    ignoreNotFound(error);
  }
}

/** Tries one source after the other in `work`; the first whose files load wins. */
async function fill(work: URL, from: string | undefined): Promise<void> {
  await Deno.writeTextFile(new URL("deno.json", work), JSON.stringify({ vendor: true, lock: false }));
  await Deno.writeTextFile(new URL("entry.js", work), ENTRY);
  const failures: string[] = [];
  for (const [name, source] of Object.entries({ jsr: fromJsr, npm: fromNpm })) {
    if (from !== undefined && name !== from) continue;
    if (failures.length > 0) say("JSR is out of reach");
    try {
      await source(work);
      await runDeno(["run", "--no-prompt", "--cached-only", "entry.js"], { cwd: work, timeoutMs: NPM_MS });
      await Deno.writeTextFile(new URL(`vendor/${STAMP}`, work), "");
      return;
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
    await Deno.remove(new URL("vendor/", work), { recursive: true }).catch(() => {});
  }
  throw new Error(`Cannot get the dependencies: ${failures.join("; ")}`);
}

async function fromJsr(work: URL): Promise<void> {
  say("getting the dependencies from JSR");
  const internal = PACKAGES.at(-1)!;
  const probe = `jsr:@std/${internal.name}@${internal.version}/os`;
  await runDeno(["cache", "--quiet", probe], { cwd: work, timeoutMs: PROBE_MS });
  await runDeno(["cache", "--quiet", "entry.js"], { cwd: work, timeoutMs: JSR_MS });
}

async function fromNpm(work: URL): Promise<void> {
  say("getting the dependencies from npm");
  for (const tarball of TARBALLS) {
    const files = await readTarball(await download(tarball, work));
    for (const name of tarball.packages) {
      const own = within(files, `${name}/`);
      if (name === "cli") {
        own.set("unicode_width.js", 'export * from "./_unicode_width.ts";\n');
        own.set("_unicode_width.ts", await ownFile("unicode_width.ts"));
      }
      await writePackage(name, own, work);
    }
  }
  const parse = await ownFile("dotenv.ts");
  await writePackage("dotenv", new Map([["parse.ts", parse], ["mod.ts", 'export * from "./parse.ts";\n']]), work);
}

/** The bytes of a tarball, fetched by the npm client so that a user's registry and proxy settings hold. */
async function download(
  { id, integrity }: { id: string; integrity: string },
  work: URL,
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = new URL(`${id}/`, work);
  await Deno.mkdir(folder);
  const args = ["pack", id, "--loglevel=error", "--fetch-retries=1", "--ignore-scripts"];
  const [command, ...first] = Deno.build.os === "windows" ? ["cmd", "/c", "npm"] : ["npm"];
  await run(command!, [...first, ...args], { cwd: folder, timeoutMs: NPM_MS, name: "npm" });
  for await (const { name } of Deno.readDir(folder)) {
    const bytes = await Deno.readFile(new URL(name, folder));
    await verifyIntegrity(id, bytes, integrity);
    return bytes;
  }
  throw new Error(`npm brought no file for ${id}`);
}

async function writePackage(name: string, files: Files, work: URL): Promise<void> {
  const found = PACKAGES.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`"${name}" is not among the imports of deno.json`);
  const declarations = await ownFile(`types/${name}.d.ts`).catch(() => undefined);
  for (const [path, text] of packageTree(found, files, { declarations, packages: PACKAGES })) {
    const file = new URL(`vendor/${path}`, work);
    await Deno.mkdir(new URL(".", file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
}

/** The JavaScript files below a folder of a tarball, by path inside that folder. */
function within(files: Files, folder: string): Files {
  const own = [...files].filter(([path]) => path.startsWith(folder) && path.endsWith(".js"));
  return new Map(own.map(([path, text]) => [path.slice(folder.length), text]));
}

/** What was there before goes first; if somebody else has filled the folder meanwhile, theirs stays. */
async function moveIntoPlace(filled: URL, work: URL): Promise<void> {
  await Deno.rename(VENDOR, new URL("old/", work)).catch(ignoreNotFound);
  try {
    await Deno.rename(filled, VENDOR);
  } catch (error) {
    if (!await isFile(new URL(STAMP, VENDOR))) throw error;
  }
}

function ownFile(path: string): Promise<string> {
  return Deno.readTextFile(new URL(`std/${path}`, import.meta.url));
}

async function isFile(path: URL): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isFile, () => false);
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

function say(text: string): void {
  console.error(`mini-agent: ${text}`);
}
