/**
 * What goes into the dependency folder: the packages that deno.json names, and the npm tarballs that hold the same
 * files for places where JSR is out of reach.
 *
 * @module
 */
import config from "../../deno.json" with { type: "json" };

/** A package of the standard library, in the one version that is used. */
export interface Package {
  /** For example `path`. */
  name: string;
  /** For example `1.1.6`. */
  version: string;
}

/** An npm tarball with what must be in it, byte for byte. */
export interface Tarball {
  /** For example `deno-std@1.4.0`. */
  id: string;
  /** `sha512-` and the base64 of the digest. */
  integrity: string;
  /** The packages taken from it. */
  packages: readonly string[];
}

/** Lies in a dependency folder that is complete. Raise its number whenever a version here or in deno.json changes. */
export const STAMP = ".filled-1";

/** The packages of deno.json, and the one they import themselves. */
export const PACKAGES: readonly Package[] = [
  ...Object.values(config.imports).map(parseSpecifier),
  { name: "internal", version: "1.0.14" },
];

/** Where the packages come from when JSR is out of reach; what is in none of them has a stand-in beside this file. */
export const TARBALLS: readonly Tarball[] = [
  {
    id: "deno-std@1.4.0",
    integrity: "sha512-7c0Y6tyn0Sx0NKiaAeGtDwrpG+C7VFcOStVcYXPnjAuIEonxzVV+n6s8iuFjg6keqzxo/zrPbR/J9EY9BLNsRA==",
    packages: ["assert", "cli", "internal", "path"],
  },
  {
    id: "deno-std@1.1.11", // the last one with a complete fs
    integrity: "sha512-13y+TguUIafQhpa79bBxBJpaEjUktgvMOLc0PMYFHFVnxFCGxLW9UkE8JJ9RF8+kmQQbNHTyPkLoyNpvELiCNg==",
    packages: ["fs"],
  },
];

/** Splits `jsr:@std/path@1.1.6` into name and version. */
function parseSpecifier(specifier: string): Package {
  const match = /^jsr:@std\/([a-z]+)@(\d+\.\d+\.\d+)$/.exec(specifier);
  if (match === null) throw new SyntaxError(`Cannot read the import "${specifier}": not jsr:@std/NAME@VERSION`);
  return { name: match[1]!, version: match[2]! };
}
