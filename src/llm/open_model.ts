/**
 * From a name and a key to a model that can be asked.
 *
 * @module
 */

import { findModel, findProvider, type ProviderEntry } from "./catalog.ts";
import type { Clock } from "./clock.ts";
import { type Dialect, DIALECTS, isLoopback } from "./dialect.ts";
import { ConfigError } from "./errors.ts";
import type { Model, ModelRequest } from "./types.ts";
import type { Timeouts } from "./watchdog.ts";

/** A model service, from the catalogue or from the person's configuration. */
export type Provider = Omit<ProviderEntry, "defaultModel">;

/** What is asked for, and what the person knows better than the catalogue. */
export interface OpenModelOptions {
  /** A name from the catalogue, or a whole description. */
  provider: string | Provider;
  model: string;
  apiKey?: string | undefined;
  /** Another address than the provider's own. */
  baseUrl?: string | undefined;
  /** Tokens. */
  contextWindow?: number | undefined;
  /** Tokens of one reply at most. */
  maxOutput?: number | undefined;
  vision?: boolean | undefined;
  /** Whether replies come in pieces. */
  stream?: boolean | undefined;
  /** Tools travel as text: for a model that knows of none. */
  textTools?: boolean | undefined;
  dialect?: Partial<Dialect> | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  fetch?: typeof fetch;
  clock?: Clock;
}

/** The window of a model that nobody knows: small enough for most. */
const UNKNOWN_CONTEXT_WINDOW = 128_000;

/**
 * Makes the model. Nothing is sent; retries are the caller's, see {@linkcode withRetry}.
 *
 * @throws {ConfigError} If the provider is unknown, the address cannot be used, or the key is missing or misshapen.
 */
export function openModel(options: OpenModelOptions): Model {
  const model = openNative(options);
  if (!options.textTools) return model;
  return withAdapter(model, async () => (await import("./text_tools.ts")).withTextTools(model));
}

/** The model with the tools that its protocol has. */
function openNative(options: OpenModelOptions): Model {
  const provider = typeof options.provider === "string" ? findProvider(options.provider) : options.provider;
  if (!provider) throw new ConfigError(`Cannot use the provider "${options.provider}": there is none of this name`);
  if (provider.kind === "demo") {
    return withAdapter(DEMO, async () => new (await import("./demo.ts")).DemoModel());
  }
  const { model, timeouts, fetch, clock } = options;
  const found = findModel(model);
  const known = found?.provider === provider.name ? found : undefined;
  const url = endpointUrl(provider.kind, options.baseUrl ?? provider.baseUrl ?? "", provider);
  const apiKey = checkKey(options.apiKey, { provider, url });
  const maxOutput = options.maxOutput ?? known?.maxOutput;
  const shared = {
    id: `${provider.name}/${model}`,
    model,
    url,
    ...(apiKey !== undefined && { apiKey }),
    ...(provider.keyVariable && { keyVariable: provider.keyVariable }),
    ...(provider.topUpUrl && { topUpUrl: provider.topUpUrl }),
    contextWindow: options.contextWindow ?? known?.contextWindow ?? UNKNOWN_CONTEXT_WINDOW,
    ...(maxOutput !== undefined && { maxOutput }),
    vision: options.vision ?? known?.vision ?? false,
    ...(options.stream !== undefined && { stream: options.stream }),
    ...(timeouts && { timeouts }),
    ...(fetch && { fetch }),
    ...(clock && { clock }),
  };
  if (provider.kind === "anthropic") {
    return withAdapter(shared, async () => new (await import("./messages_api.ts")).MessagesModel(shared));
  }
  const named = provider.dialect && DIALECTS[provider.dialect];
  const dialect = { ...named, ...known?.dialect, ...options.dialect };
  return withAdapter(
    shared,
    async () => new (await import("./chat_completions.ts")).ChatCompletionsModel({ ...shared, dialect }),
  );
}

const DEMO = { id: "demo/demo", contextWindow: UNKNOWN_CONTEXT_WINDOW };

/** A model whose adapter is loaded with its first request: of the three, a run needs one. */
function withAdapter({ id, contextWindow, vision }: Omit<Model, "stream">, load: () => Promise<Model>): Model {
  let adapter: Promise<Model> | undefined;
  return {
    id,
    contextWindow,
    ...(vision !== undefined && { vision }),
    async *stream(request: ModelRequest, signal: AbortSignal) {
      adapter ??= load();
      yield* (await adapter).stream(request, signal);
    },
  };
}

/**
 * The address that a request goes to. An address that ends in the endpoint is used as it is; a query string is kept.
 *
 * @throws {ConfigError} If it is no http address, or holds a user name.
 * @example
 * ```ts
 * console.assert(endpointUrl("openai", "http://127.0.0.1:1234/") === "http://127.0.0.1:1234/v1/chat/completions");
 * ```
 */
export function endpointUrl(
  kind: "openai" | "anthropic",
  baseUrl: string,
  { version = "/v1" }: Pick<ProviderEntry, "version"> = {},
): string {
  const url = parseUrl(baseUrl.trim());
  const path = url.pathname.replace(/\/+$/, "");
  const endpoint = kind === "openai" ? "/chat/completions" : "/messages";
  const needsVersion = kind === "openai" ? path === "" : !/\/v\d+$/.test(path);
  url.pathname = path.endsWith(endpoint) ? path : `${path}${needsVersion ? version : ""}${endpoint}`;
  url.hash = "";
  return url.href;
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    const isHost = /^[\w.-]+:\d+(\/|$)/.test(text); // a host and its port look like a scheme
    const shown = url && !isHost ? url.protocol : text.replace(/[?#].*/s, "").replace(/^.*@/s, "").slice(0, 100);
    throw new ConfigError(`Cannot use the base URL "${shown}": it must begin with http:// or https://`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigError(`Cannot use the base URL of "${url.host}": it must not hold a user name or a password`);
  }
  return url;
}

interface KeyPlace {
  provider: Provider;
  url: string;
}

/** A key as it can stand in a header. Local servers need none. */
function checkKey(apiKey: string | undefined, { provider, url }: KeyPlace): string | undefined {
  const name = provider.keyVariable ?? `the key of "${provider.name}"`;
  const key = apiKey?.trim() ?? "";
  if (key === "") {
    const { hostname } = new URL(url);
    if (isLoopback(hostname) || !provider.keyVariable) return undefined;
    throw new ConfigError(`Cannot use "${provider.name}": no key, set ${name}`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigError(`Cannot use the key in ${name}: it holds a blank, a line break or a letter no key can have`);
  }
  return key;
}
