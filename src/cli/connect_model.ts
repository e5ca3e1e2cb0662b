/**
 * From what was said about the model to one that can be asked, with retries and prices.
 *
 * @module
 */

import type { Pricing } from "../agent/ledger.ts";
import { MODELS, type ProviderEntry, PROVIDERS, RETIRED } from "../llm/catalog.ts";
import { openModel, type Provider } from "../llm/open_model.ts";
import { costOf } from "../llm/prices.ts";
import { withRetry } from "../llm/retry.ts";
import type { Model } from "../llm/types.ts";
import type { CliOptions } from "./args.ts";
import { chooseModel, type ChosenModel, type ProviderChoice } from "./choose_model.ts";
import { type Config, isHidden } from "./config.ts";
import type { ProviderSettings, Settings } from "./settings.ts";

/** The variables that count, beside those that a configured provider names. */
export const VARIABLES: readonly string[] = [
  "AGENT_MODEL",
  ...PROVIDERS.flatMap(({ keyVariable, baseUrlVariable }) => [keyVariable, baseUrlVariable])
    .filter((name) => name !== undefined),
];

/** A model that can be asked, and what is said about it. */
export interface ConnectedModel {
  model: Model;
  /** The model's name without its provider. */
  name: string;
  price: Pricing;
  /** `host:port` of its service; absent for the demo model. */
  host?: string;
  /** The variable that its key came from, for the init event. */
  apiKeySource: string;
  /** Its key, for the redaction of everything that is written. */
  secrets: string[];
  /** Why it is the demo model that nobody chose. */
  noKey?: string;
  notices: string[];
}

/**
 * Chooses and opens the model. Nothing is sent.
 *
 * @param name Another model than the command line's (`/model`).
 * @throws {ConfigError} If it cannot be had: no key, no such provider, a broken address.
 */
export function connectModel(options: CliOptions, config: Config, name?: string): ConnectedModel {
  const { settings, variables } = config;
  const flag = name ?? options.model;
  const chosen = chooseModel({
    variables,
    providers: providerChoices(settings),
    isHidden,
    ...(flag !== undefined && { flag }),
    ...(options.baseUrl !== undefined && { baseUrl: options.baseUrl }),
    ...(settings.model !== undefined && { configured: settings.model }),
  });
  const own = settings.models?.[chosen.model];
  const retries = settings.retries ?? {};
  const model = withRetry(
    openModel({
      provider: providerOf(chosen, settings),
      model: chosen.model,
      apiKey: chosen.apiKey,
      baseUrl: chosen.baseUrl || undefined,
      contextWindow: own?.contextWindow,
      maxOutput: own?.maxOutput,
      vision: own?.vision,
      stream: own?.stream,
      textTools: own?.tools === "text",
      ...(settings.timeouts && { timeouts: settings.timeouts }),
    }),
    retries,
  );
  const host = chosen.baseUrl === "" ? undefined : hostOf(chosen.baseUrl);
  const notices = [...chosen.notices];
  const successor = Object.hasOwn(RETIRED, chosen.model) ? RETIRED[chosen.model] : undefined;
  if (successor) notices.push(`The model "${chosen.model}" is retired: its successor is "${successor}"`);
  if (chosen.projectKey) notices.push(`The key of this project's .env is used: requests go to ${host}`);
  return {
    model,
    name: chosen.model,
    price: pricing(chosen.provider === "demo" ? "demo" : chosen.model, settings),
    ...(host !== undefined && { host }),
    ...(chosen.noKey !== undefined && { noKey: chosen.noKey }),
    apiKeySource: chosen.apiKey === undefined ? "none" : chosen.keyVariable ?? "none",
    secrets: [...variables].filter(([key]) => key.endsWith("_KEY")).map(([, { value }]) => value),
    notices,
  };
}

/** Prices by the model that answered; a name that nobody knows costs what the model asked for costs. */
function pricing(asked: string, { models = {} }: Settings): Pricing {
  const overrides = Object.fromEntries(
    Object.entries(models).flatMap(([name, { price }]) => price ? [[name, { price }]] : []),
  );
  if (asked === "demo") return () => ({ total: 0, miss: 0, hit: 0, output: 0 });
  return (usage, answered, at) => costOf(usage, answered, at, overrides) ?? costOf(usage, asked, at, overrides);
}

function providerChoices({ providers = {} }: Settings): ProviderChoice[] {
  const known = PROVIDERS.filter(({ kind }) => kind !== "demo").map((provider): ProviderChoice => {
    const own = ownOf(provider.name, providers);
    const keyVariable = own?.apiKeyEnv;
    return { ...choiceOf(provider), ...(own && { baseUrl: own.baseUrl }), ...(keyVariable && { keyVariable }) };
  });
  const names = known.map(({ name }) => name);
  const others = Object.entries(providers).filter(([name]) => !names.includes(name));
  const own = others.map(([name, { baseUrl, apiKeyEnv }]): ProviderChoice => ({
    name,
    baseUrl,
    models: [],
    ...(apiKeyEnv ? { keyVariable: apiKeyEnv } : { keylessOnLoopback: true }),
  }));
  return [...known, ...own, { ...DEMO }];
}

function ownOf(name: string, providers: Record<string, ProviderSettings>): ProviderSettings | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}

const DEMO: ProviderChoice = { name: "demo", baseUrl: "", defaultModel: "demo", models: ["demo"] };

function choiceOf({ name, keyVariable, baseUrlVariable, baseUrl = "", defaultModel }: ProviderEntry): ProviderChoice {
  return {
    name,
    baseUrl,
    defaultModel,
    models: MODELS.filter((model) => model.provider === name).map((model) => model.name),
    keylessOnLoopback: name === "openai",
    ...(keyVariable && { keyVariable }),
    ...(baseUrlVariable && { baseUrlVariable }),
  };
}

function providerOf({ provider }: ChosenModel, { providers = {} }: Settings): string | Provider {
  const own = ownOf(provider, providers);
  return own ? described(provider, own) : provider;
}

/** One of a name and a kind that the catalogue knows keeps what its entry does not say. */
function described(name: string, { kind, baseUrl, apiKeyEnv }: ProviderSettings): Provider {
  const known = PROVIDERS.find((provider) => provider.name === name);
  const keyVariable = apiKeyEnv ?? known?.keyVariable;
  return { ...(known?.kind === kind && known), name, kind, baseUrl, ...(keyVariable && { keyVariable }) };
}

/** `host:port`, as Deno's permissions name it. */
function hostOf(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl.trim());
  if (!url) return undefined;
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
