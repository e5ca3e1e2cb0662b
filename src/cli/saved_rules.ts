/**
 * The allow rules that a person's "always" has written: `permissions.json` beside the configuration, never the file that
 * people edit.
 *
 * @module
 */

import { ConfigError } from "../llm/errors.ts";
import { isHeld } from "../permissions/held.ts";
import { writePrivateFile } from "../permissions/private_file.ts";
import { join } from "../permissions/os_path.ts";

/** Reads the saved rules; none where the file is absent or may not be read. */
export function readSavedRules(configFolder: string): string[] {
  const file = join(configFolder, "permissions.json");
  if (!isHeld({ name: "read", path: file })) return [];
  let value: unknown;
  try {
    if (!Deno.statSync(file).isFile) throw new Error("it is not a regular file"); // a pipe would be waited for
    value = JSON.parse(Deno.readTextFileSync(file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw new ConfigError(`Cannot read the saved rules "${file}": ${(error as Error).message}`);
  }
  const allow = (value as { allow?: unknown } | null)?.allow;
  if (!Array.isArray(allow) || !allow.every((rule) => typeof rule === "string")) {
    throw new ConfigError(`Cannot use the saved rules "${file}": "allow" must be a list of texts`);
  }
  return allow;
}

/**
 * Adds a rule. The file is replaced as a whole, so a crash leaves the old one or the new one.
 *
 * @throws {Error} If the folder cannot be written.
 */
export async function saveRule(configFolder: string, rule: string): Promise<void> {
  const rules = readSavedRules(configFolder);
  if (rules.includes(rule)) return;
  const text = JSON.stringify({ allow: [...rules, rule] }, null, 2) + "\n";
  await writePrivateFile(join(configFolder, "permissions.json"), text);
}
