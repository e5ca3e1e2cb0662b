/**
 * Which addresses are fetched: what is looked at before a single byte is sent.
 *
 * Who enforces what: the checks here refuse private hosts by their name and by every address that their name has now.
 * A name that leads elsewhere a moment later (DNS rebinding) does not help: a plain `http` request goes to the very
 * address that was checked, an `https` one only to a server that proves the name by its certificate. Deno's own
 * `--deny-net` ranges (the launch lines carry the metadata range) hold below all this.
 *
 * @module
 */

import { addressesOf, isPrivateAddress, isPrivateHost } from "../permissions/addresses.ts";
import { isHeld } from "../permissions/held.ts";
import { ToolError } from "./tool.ts";

const MAX_URL_CHARS = 8000;

/**
 * Reads an address as the model wrote it.
 *
 * @param base The address that it was found at, if it may be relative to one.
 * @throws {ToolError} If it is none that may be fetched.
 */
export function parseAddress(text: string, base?: URL): URL {
  const refuse = (reason: string) => new ToolError(`Cannot fetch ${JSON.stringify(text.slice(0, 200))}: ${reason}`);
  const given = text.trim();
  if (given.length > MAX_URL_CHARS) throw refuse(`it has more than ${MAX_URL_CHARS} characters`);
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x20\x7f-\x9f\\]/.test(given)) throw refuse("it holds a blank, a control character or a backslash");
  if (!URL.canParse(given, base)) throw refuse("it is no address, write it whole: https://host/path");
  const url = new URL(given, base); // odd spellings of IP addresses become plain ones
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refuse("only http and https are fetched");
  if (url.username !== "" || url.password !== "") throw refuse("it carries a name or a password");
  url.hostname = url.hostname.replace(/\.+$/, "");
  url.hash = "";
  return url;
}

/**
 * Makes sure that this process may reach an address: Deno would ask the person otherwise.
 *
 * @throws {ToolError} If it holds no permission for the host.
 */
export function requireGrant({ hostname, host, port, protocol }: URL): void {
  const wanted = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  if (isHeld({ name: "net", host: wanted })) return;
  throw new ToolError(`Cannot fetch from "${host}": Deno holds no permission to reach it (--allow-net=${wanted})`);
}

/** Gives all IP addresses of a name. Throws, with the reason as its message, if there are none. */
export type Resolver = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Makes sure that an address leads to the public network.
 *
 * @returns The IP addresses that the host has, none if it is one itself.
 * @throws {ToolError} If it leads to this machine or its surroundings, or cannot be resolved.
 */
export async function resolvePublic(url: URL, resolve: Resolver, signal: AbortSignal): Promise<string[]> {
  const { hostname, host } = url;
  const refuse = (reason: string) => new ToolError(`Cannot fetch from "${host}": ${reason}`);
  if (isPrivateHost(hostname)) throw refuse("it is a private address, the user must allow it by a rule");
  const addresses = await resolveHost(url, resolve, signal);
  if (addresses.some(isPrivateAddress)) {
    throw refuse("its name leads to a private address, the user must allow it by a rule");
  }
  return addresses;
}

/**
 * Finds out where a host's name leads.
 *
 * @returns The IP addresses that it has, none if it stands for one by itself.
 * @throws {ToolError} If it cannot be resolved.
 */
export async function resolveHost({ hostname, host }: URL, resolve: Resolver, signal: AbortSignal): Promise<string[]> {
  if (addressesOf(hostname).length > 0) return [];
  const refuse = (reason: string) => new ToolError(`Cannot fetch from "${host}": ${reason}`);
  let addresses: string[];
  try {
    addresses = await resolve(hostname, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw refuse(error instanceof Error ? error.message : "its name cannot be resolved");
  }
  if (addresses.length === 0) throw refuse("its name has no address");
  return addresses;
}

/** Asks the system's resolver, the hosts file included. */
export const resolveName: Resolver = async (name, signal) => {
  if (!isHeld({ name: "net" })) throw new Error("its name may not be resolved, for which --allow-net is needed");
  const answers = await Promise.allSettled([
    Deno.resolveDns(name, "A", { signal }),
    Deno.resolveDns(name, "AAAA", { signal }),
  ]);
  const addresses = answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : []);
  if (addresses.length > 0) return addresses;
  const isUnknown = answers.every((answer) =>
    answer.status === "fulfilled" || answer.reason instanceof Deno.errors.NotFound
  );
  throw new Error(isUnknown ? "there is no such name" : "its name cannot be resolved");
};
