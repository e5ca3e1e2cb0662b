import { assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import { fromFileUrl } from "@std/path/from-file-url";
import { relative } from "@std/path/relative";

const SRC = fromFileUrl(new URL("../src", import.meta.url));

/** Who may import whom: a layer and what lies behind its arrows. */
const ARROWS: Record<string, readonly string[]> = {
  cli: ["cli", "agent", "tools", "permissions", "llm"],
  agent: ["agent", "tools", "permissions", "llm"],
  tools: ["tools", "permissions"],
  permissions: ["permissions"],
  llm: ["llm"],
};

interface SourceFile {
  path: string;
  layer: string;
  /** Without comments, so that prose and examples do not count. */
  code: string;
}

async function sourceFiles(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const { path } of walk(SRC, { exts: [".ts"], includeDirs: false })) {
    const name = relative(SRC, path);
    const text = await Deno.readTextFile(path);
    files.push({ path: name, layer: name.split("/")[0] ?? "", code: withoutComments(text) });
  }
  return files;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** All imports of our own files, as `layer` and whether only types are taken. */
function imports({ code }: SourceFile): { target: string; typesOnly: boolean }[] {
  const found = code.matchAll(
    /(?:import|export)\s+(type\s+)?(\{[^}]*\}|\*[^"']*|[\w\s,]*?)\s*(?:from\s*)?["'](\.{1,2}\/[^"']+)["']/g,
  );
  const dynamic = code.matchAll(/import\(\s*["'](\.{1,2}\/[^"']+)["']/g);
  return [
    ...Array.from(found, ([, type, names = "", target = ""]) => ({
      target,
      typesOnly: type !== undefined ||
        (names.startsWith("{") &&
          names.slice(1, -1).split(",").filter((n) => n.trim()).every((n) => /^\s*type\s/.test(n))),
    })),
    ...Array.from(dynamic, ([, target = ""]) => ({ target, typesOnly: false })),
  ];
}

/** The layer that a relative import leads to. */
function layerOf({ layer }: SourceFile, target: string): string {
  return /^\.\.\/([^/]+)\//.exec(target)?.[1] ?? layer;
}

Deno.test("imports follow the arrows only", async () => {
  const wrong: string[] = [];
  for (const file of await sourceFiles()) {
    const allowed = ARROWS[file.layer];
    if (!allowed) continue; // mod.ts stands beside the layers
    for (const { target, typesOnly } of imports(file)) {
      if (!target.endsWith(".ts")) continue; // prompts and the version
      const layer = layerOf(file, target);
      const typesOfLlm = file.layer === "tools" && layer === "llm" && typesOnly;
      if (!allowed.includes(layer) && !typesOfLlm) wrong.push(`${file.path} imports ${target}`);
    }
  }
  assertEquals(wrong, []);
});

/** A pattern that may stand only in some files. */
const HOMES: [name: string, pattern: RegExp, isHome: (path: string) => boolean][] = [
  ["console, stdin, stdout and stderr", /\bconsole\.\w+\(|Deno\.std(in|out|err)\b/, (path) => path.startsWith("cli/")],
  ["new Deno.Command", /new Deno\.Command\b/, (path) => path === "tools/process.ts"],
  ["Deno.env", /Deno\.env\b/, (path) => path === "cli/config.ts"],
  ["Deno.exit and signals", /Deno\.(exit|addSignalListener)\b/, (path) => path.startsWith("cli/")],
  [
    "fetch",
    /(?<![.\w#])fetch\(|globalThis\.fetch/,
    (path) => path === "llm/http.ts" || path.startsWith("tools/"),
  ],
  // all else of it asks Node which system this is: a third of a start
  ["the paths of @std", /"@std\/path/, (path) => /^permissions\/(posix|windows)_path\.ts$/.test(path)],
];

for (const [name, pattern, isHome] of HOMES) {
  Deno.test(`${name} stay in their home`, async () => {
    const files = await sourceFiles();
    const found = files.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
    assertEquals(found.filter((path) => !isHome(path)), []);
  });
}

Deno.test("the architecture test finds what it forbids", () => {
  const file = (layer: string, code: string): SourceFile => ({
    path: `${layer}/x.ts`,
    layer,
    code: withoutComments(code),
  });
  const bad = file("llm", 'import { Agent } from "../agent/agent.ts";\nimport type { A } from "../tools/tool.ts";\n');
  assertEquals(imports(bad).map(({ target, typesOnly }) => [layerOf(bad, target), typesOnly]), [
    ["agent", false],
    ["tools", true],
  ]);
  const lazy = file("tools", 'const x = await import("../cli/cli.ts"); // import("../llm/x.ts")\n');
  assertEquals(imports(lazy).map(({ target }) => layerOf(lazy, target)).includes("cli"), true);
  const mixed = file(
    "tools",
    'import { type A, b } from "../llm/types.ts";\nimport {\n  type C,\n  type D,\n} from "../llm/types.ts";',
  );
  assertEquals(imports(mixed).map(({ typesOnly }) => typesOnly), [false, true]);
  const forbidden = [
    "console.log(1)",
    "Deno.stdout.write(x)",
    "new Deno.Command('sh')",
    "Deno.env.get('A')",
    "await fetch(url)",
    'import { join } from "@std/path/join";',
  ];
  for (const code of forbidden) assertEquals(HOMES.some(([, pattern]) => pattern.test(code)), true, code);
});
