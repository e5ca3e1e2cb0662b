/**
 * Lays out files of the standard library as Deno's own vendor folder has them. Pure: paths and texts in, paths and
 * texts out.
 *
 * @module
 */
import type { Package } from "./packages.ts";

/** Files by path. */
export type Files = Map<string, string>;

/** The folder Deno keeps packages of JSR in, below vendor/. */
const HOST = "jsr.io";

/**
 * The files below vendor/ for one package: its code, its declarations and the two lists Deno looks things up in.
 *
 * @param files The package's own files, by path inside the package.
 * @param options.declarations The text of its declarations; without it the code speaks for itself.
 * @param options.packages All packages, for the versions they import each other in.
 */
export function packageTree(
  { name, version }: Package,
  files: Files,
  options: { declarations?: string | undefined; packages: readonly Package[] },
): Files {
  const base = `${HOST}/@std/${name}`;
  const exports = exportsOf([...files.keys()]);
  const sections = new Map(options.declarations === undefined ? [] : sectionsOf(options.declarations));
  const tree: Files = new Map();
  for (const [path, text] of files) {
    tree.set(`${base}/${version}/${path}`, linkTypes(path, pinImports(path, text, options.packages), sections));
  }
  if (options.declarations !== undefined) {
    tree.set(`${base}/${version}/_declarations.d.ts`, pinSpecifiers(options.declarations, options.packages));
    for (const [file, names] of sections) {
      tree.set(`${base}/${version}/${file}.d.ts`, `export { ${names.join(", ")} } from "./_declarations.d.ts";\n`);
    }
  }
  tree.set(`${base}/meta.json`, json({ scope: "std", name, latest: version, versions: { [version]: {} } }));
  tree.set(`${base}/${version}_meta.json`, json({ manifest: {}, exports }));
  return tree;
}

/**
 * What a package exports: every file under its own name with dashes, `mod` as the name of its folder, nothing that
 * begins with an underscore.
 */
export function exportsOf(paths: string[]): Record<string, string> {
  const exports: Record<string, string> = {};
  for (const path of paths.toSorted()) {
    const entry = /^((?:[a-z][a-z0-9_]*\/)*)([a-z][a-z0-9_]*)\.[jt]s$/.exec(path);
    if (entry === null) continue;
    const [, folder = "", file = ""] = entry;
    const key = file === "mod" ? `./${folder}`.replace(/\/$/, "") : `./${folder}${file.replaceAll("_", "-")}`;
    exports[key] = `./${path}`;
  }
  return exports;
}

/** The `//# FILE NAME…` sections of a declaration file with the names each exports. */
export function sectionsOf(declarations: string): [file: string, names: string[]][] {
  return declarations.split(/^\/\/# /m).slice(1).map((section) => {
    const [heading = "", ...body] = section.split("\n");
    const [file = "", ...again] = heading.trim().split(" ");
    const names = body.join("\n").matchAll(/^export (?:function|const|class|interface|type) (\w+)/gm);
    return [file, [...new Set([...again, ...Array.from(names, (match) => match[1]!)])]];
  });
}

/** Imports of a sibling package's folder become imports of that package. */
function pinImports(path: string, text: string, packages: readonly Package[]): string {
  const out = "../".repeat(path.split("/").length); // leads out of this package
  const versions = new Map(packages.map(({ name, version }) => [name, version]));
  return text.replace(
    /(\bfrom\s*|\bimport\s*)"((?:\.\.\/)+)([a-z]+)\/([a-z_/]+)\.js"/g,
    (all, from, up, name, file) => {
      const version = versions.get(name);
      if (up !== out || version === undefined) return all;
      return `${from}"jsr:@std/${name}@${version}/${file.replaceAll("_", "-")}"`;
    },
  );
}

/** Declarations are written with the bare names of deno.json, which only apply inside the project. */
function pinSpecifiers(text: string, packages: readonly Package[]): string {
  return text.replace(/"@std\/([a-z]+)/g, (all, name) => {
    const found = packages.find((candidate) => candidate.name === name);
    return found === undefined ? all : `"jsr:@std/${name}@${found.version}`;
  });
}

/** Tells the compiler where the declarations of a file are; without any, its doc comments must not pass for types. */
function linkTypes(path: string, text: string, sections: Map<string, string[]>): string {
  if (!path.endsWith(".js")) return text;
  const file = path.replace(/\.js$/, "").replace(/^(posix|windows)\//, "");
  const up = "../".repeat(path.split("/").length - 1) || "./";
  if (file === "mod" && sections.size > 0) return `// @ts-self-types="${up}_declarations.d.ts"\n${text}`;
  if (sections.has(file)) return `// @ts-self-types="${up}${file}.d.ts"\n${text}`;
  return text.replace(/^ *\/\*\*.*?\*\/\n?/gms, "");
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}
