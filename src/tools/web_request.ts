/**
 * Gets one address, from redirect to redirect, each checked like the first.
 *
 * @module
 */

import { ToolError } from "./tool.ts";
import { parseAddress, requireGrant, resolveHost, resolvePublic, type Resolver } from "./web_address.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = { accept: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5", "user-agent": "mini-agent" };

/** What decides about addresses. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  /** Looks at each address first: throws a {@linkcode ToolError} to refuse it. */
  inspect(url: URL): void;
  /** Asks about an address on another host than the one that was asked about. */
  confirm(url: URL): Promise<void>;
  /** Asks about what a host's name leads to; absent where nobody wants to know. */
  confirmAddresses?(url: URL, addresses: readonly string[]): Promise<void>;
  /** Whether a private address may be fetched: then nothing is resolved that nobody wants to know. */
  isPrivateAllowed(url: URL): boolean;
  readonly resolve: Resolver;
}

/** An answer, its body not read yet. */
export interface Answer {
  /** Where it came from in the end. */
  readonly url: URL;
  readonly response: Response;
}

/**
 * Sends a GET without cookies or credentials, and follows redirects.
 *
 * @throws {ToolError} If an address on the way is refused, or nothing answers.
 * @throws The signal's reason when it aborts.
 */
export async function request(first: URL, options: RequestOptions): Promise<Answer> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    options.inspect(url);
    const addresses = await addressesOf(url, options);
    if (addresses.length > 0) await options.confirmAddresses?.(url, addresses);
    requireGrant(url);
    const response = await get(url, addresses, options.signal);
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return { url, response };
    await response.body?.cancel();
    const next = parseAddress(location, url);
    if (next.host !== url.host) {
      options.inspect(next);
      await options.confirm(next);
    }
    url = next;
  }
  throw new ToolError(`Cannot fetch "${first.href}": more than ${MAX_REDIRECTS} redirects`);
}

/** What the host's name leads to, found out once: the request goes there. None for what is an address by itself. */
async function addressesOf(url: URL, options: RequestOptions): Promise<readonly string[]> {
  const { resolve, signal } = options;
  if (!options.isPrivateAllowed(url)) return await resolvePublic(url, resolve, signal);
  return options.confirmAddresses ? await resolveHost(url, resolve, signal) : [];
}

async function get(url: URL, [address]: readonly string[], signal: AbortSignal): Promise<Response> {
  const target = new URL(url);
  // A certificate proves the host of an https address; of any other nothing does but the IP address that was checked.
  const isPinned = url.protocol === "http:" && address !== undefined;
  if (isPinned) target.hostname = address.includes(":") ? `[${address}]` : address;
  using client = Deno.createHttpClient({ allowHost: true, poolMaxIdlePerHost: 0 });
  const headers = isPinned ? { ...HEADERS, host: url.host } : HEADERS;
  try {
    return await fetch(target, { headers, redirect: "manual", signal, client });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new ToolError(`Cannot fetch "${url.href}": ${reasonOf(error)}`, { cause: error });
  }
}

/** The innermost part of the runtime's messages: the parts before it name the address and its own layers. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = inner instanceof Error ? inner.message : String(inner);
  return message.split(": ").at(-1)?.replace(/ \(os error \d+\)$/, "") ?? message;
}
