/**
 * The models that a person can go on with.
 *
 * @module
 */

import { MODELS, PROVIDERS } from "../llm/catalog.ts";
import type { Config } from "./config.ts";

/**
 * Lists models as `provider/name`: those of the catalogue for whose provider there is a key, those that are configured
 * under such a name, and the demo model.
 *
 * @example
 * ```ts
 * const config = { settings: { models: { "lab/one": {} } }, variables: new Map() };
 * console.assert(askableModels(config).join() === "lab/one,demo/demo");
 * ```
 */
export function askableModels({ settings, variables }: Pick<Config, "settings" | "variables">): string[] {
  const known = PROVIDERS.flatMap(({ name, keyVariable }) => {
    const own = settings.providers?.[name];
    const key = own ? own.apiKeyEnv : keyVariable;
    if (key !== undefined && !variables.has(key)) return [];
    return MODELS.filter(({ provider }) => provider === name).map((model) => `${name}/${model.name}`);
  });
  const configured = Object.keys(settings.models ?? {}).filter((name) => name.includes("/"));
  return [...new Set([...known.filter((name) => !name.startsWith("demo/")), ...configured, "demo/demo"])];
}
