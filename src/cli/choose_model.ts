/**
 * Which model of which provider a run uses, from what the person and the project said. Pure.
 *
 * @module
 */

import { ConfigError } from "../llm/errors.ts";
import { nearest } from "../tools/nearest.ts";
import type { Variable } from "./config.ts";

/** What must be known of a provider to choose it. */
export interface ProviderChoice {
  readonly name: string;
  /** The variable that holds its key; absent where it needs none. */
  readonly keyVariable?: string;
  readonly baseUrlVariable?: string;
  readonly baseUrl: string;
  readonly defaultModel?: string;
  /** Names that the catalogue knows for it. */
  readonly models: readonly string[];
  /** Whether it works without a key on a loopback address. */
  readonly keylessOnLoopback?: boolean;
}

/** What was said about the model. */
export interface ModelWish {
  /** `--model`. */
  flag?: string;
  /** `--base-url`. */
  baseUrl?: string;
  /** Of the configuration. */
  configured?: string;
  variables: ReadonlyMap<string, Variable>;
  /** In the order in which they are tried. */
  providers: readonly ProviderChoice[];
  /** Whether the process may not see a variable: it may be set all the same. */
  isHidden?(variable: string): boolean;
}

/** The provider, the model's name and how to reach it. */
export interface ChosenModel {
  provider: string;
  model: string;
  baseUrl: string;
  apiKey?: string;
  /** The variable that the key came from, or should come from. */
  keyVariable?: string;
  /** The key is the project's own: its host is named in the banner. */
  projectKey: boolean;
  /** For the banner: why it is the demo model that nobody chose, and how to have another. */
  noKey?: string;
  notices: string[];
}

/**
 * Chooses: the model by flag, environment and configuration; the provider by the name's prefix, by the catalogue, else
 * the first whose key is set, else the demo model.
 *
 * @throws {ConfigError} If the model asked for cannot be used.
 */
export function chooseModel(wish: ModelWish): ChosenModel {
  const { providers, variables, flag, configured } = wish;
  const name = (flag ?? variables.get("AGENT_MODEL")?.value ?? configured)?.trim();
  if (name !== undefined) refuseMisspelt(name, providers);
  const said = name === undefined ? {} : split(name, providers);
  const asked = said.provider ?? providers.find((p) => said.model !== undefined && p.models.includes(said.model));
  const first = firstUsable(wish);
  if (asked !== undefined && mayUse(asked, wish)) return connect(asked, said.model, wish);
  if (first !== undefined) return connect(first, asked === undefined ? said.model : undefined, wish);
  if (flag !== undefined) throw keyless(`the model "${flag}"`, wish);
  if (wish.baseUrl !== undefined) throw keyless(`"${wish.baseUrl}"`, wish);
  const notices = name === undefined ? [] : [`The model "${name}" is not used: no provider's key is set`];
  const noKey = `demo model: no key, ${setOneOf(keyVariables(wish), wish)}`;
  return { provider: "demo", model: "demo", baseUrl: "", projectKey: false, noKey, notices };
}

/** A provider and a name, of `provider/name` or a bare name, which may hold slashes itself. */
function split(
  name: string,
  providers: readonly ProviderChoice[],
): { provider?: ProviderChoice; model?: string } {
  const slash = name.indexOf("/");
  const provider = providers.find((p) => p.name === (slash < 0 ? name : name.slice(0, slash)));
  if (!provider) return { model: name };
  const model = slash < 0 ? "" : name.slice(slash + 1);
  return model === "" ? { provider } : { provider, model };
}

/** A name that nobody knows whose prefix is nearly a provider's would go to the wrong service. Other slashes are part of names. */
function refuseMisspelt(name: string, providers: readonly ProviderChoice[]): void {
  const slash = name.indexOf("/");
  const prefix = name.slice(0, Math.max(0, slash));
  const names = providers.map((provider) => provider.name);
  if (prefix === "" || names.includes(prefix) || providers.some(({ models }) => models.includes(name))) return;
  const near = nearest(prefix.toLowerCase(), names, 2);
  if (near === undefined) return;
  throw new ConfigError(`Unknown provider "${prefix}": did you mean ${near}${name.slice(slash)}?`);
}

/** A project's word alone must not lead to a provider that only the project knows, while the person has another. */
function mayUse(provider: ProviderChoice, wish: ModelWish): boolean {
  if (wish.flag !== undefined || keyOf(provider, wish)?.source !== "project") return true;
  return firstUsable(wish) === provider;
}

/**
 * The first provider that the person's own key opens, else the first that the project's opens, else one that
 * `--base-url` opens without a key.
 */
function firstUsable(wish: ModelWish): ProviderChoice | undefined {
  const open = wish.providers.filter((p) => isOpen(p, wish));
  const keyless = isLoopback(wish.baseUrl ?? "") ? wish.providers.find((p) => p.keylessOnLoopback) : undefined;
  return open.find((p) => keyOf(p, wish)?.source !== "project") ?? open[0] ?? keyless;
}

function isOpen(provider: ProviderChoice, wish: ModelWish): boolean {
  if (keyOf(provider, wish) !== undefined) return true;
  return Boolean(provider.keylessOnLoopback) && isLoopback(baseUrlOf(provider, wish));
}

function keyOf({ keyVariable }: ProviderChoice, { variables }: ModelWish): Variable | undefined {
  return keyVariable === undefined ? undefined : variables.get(keyVariable);
}

function baseUrlOf(provider: ProviderChoice, { variables }: ModelWish): string {
  const { baseUrlVariable, baseUrl } = provider;
  return (baseUrlVariable === undefined ? undefined : variables.get(baseUrlVariable)?.value) ?? baseUrl;
}

function connect(
  provider: ProviderChoice,
  name: string | undefined,
  wish: ModelWish,
): ChosenModel {
  const notices: string[] = [];
  const model = name ?? provider.defaultModel;
  if (provider.name === "demo") {
    return { provider: "demo", model: "demo", baseUrl: "", projectKey: false, notices };
  }
  if (model === undefined) {
    throw new ConfigError(`Provider "${provider.name}" has no default model: write --model ${provider.name}/NAME`);
  }
  const key = keyOf(provider, wish);
  const baseUrl = wish.baseUrl ?? baseUrlOf(provider, wish);
  if (key === undefined && !(provider.keylessOnLoopback && isLoopback(baseUrl)) && provider.keyVariable !== undefined) {
    throw new ConfigError(`Cannot use "${provider.name}/${model}": no key, ${setOneOf([provider.keyVariable], wish)}`);
  }
  return {
    provider: provider.name,
    model,
    baseUrl,
    ...(key && { apiKey: key.value }),
    ...(provider.keyVariable && { keyVariable: provider.keyVariable }),
    projectKey: key?.source === "project",
    notices,
  };
}

function keyless(what: string, wish: ModelWish): ConfigError {
  return new ConfigError(`Cannot use ${what}: no provider's key is set, ${setOneOf(keyVariables(wish), wish)}`);
}

function keyVariables({ providers }: ModelWish): string[] {
  return providers.flatMap(({ keyVariable }) => keyVariable ?? []);
}

/** What to do about a missing key. One that the process may not see may be there. */
function setOneOf(variables: readonly string[], { isHidden }: ModelWish): string {
  const hidden = variables.filter((variable) => isHidden?.(variable));
  const see = hidden.length === 0 ? "" : ` (or --allow-env=${hidden.join(",")}, if it is set)`;
  return `set ${variables.length > 1 ? "one of " : ""}${variables.join(", ")}${see}`;
}

/** Whether an address is this machine's own. */
export function isLoopback(url: string): boolean {
  let host: string;
  try {
    host = new URL(url.trim()).hostname;
  } catch {
    return false;
  }
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}
