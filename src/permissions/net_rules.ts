/**
 * Decides about addresses on the network.
 *
 * @module
 */

import { addressesOf, isPrivateAddress, isPrivateHost } from "./addresses.ts";
import type { Rule } from "./rule_text.ts";
import type { Policy, Verdict } from "./policy.ts";

/** An address is fetched. */
export interface UrlCall {
  readonly kind: "net";
  readonly url: URL;
  /** What the host's name was resolved to, once that is known. */
  readonly addresses?: readonly string[];
}

/** Decides about one address. Each redirect is a call of its own. */
export function decideUrl({ url, addresses = [] }: UrlCall, policy: Policy): Verdict {
  const deny = (reason: string) => ({ action: "deny", reason }) as const;
  if (url.protocol !== "http:" && url.protocol !== "https:") return deny("only http and https are fetched");
  if (url.username !== "" || url.password !== "") return deny("the address carries a name or password");
  if (url.hostname.endsWith(".")) return deny("the host's name ends in a dot");
  // a rule that forbids or asks holds for every name of a host, one that allows for the one that it names
  const forbidding = (action: string) =>
    policy.rules.find((rule) => rule.action === action && matchesAnyName(rule, url, addresses));
  const denied = forbidding("deny");
  if (denied) return deny(`the deny rule ${denied.text}`);
  const isPrivate = isPrivateHost(url.hostname) || addresses.some(isPrivateAddress);
  if (isPrivate && !privateUrlAllowed(url, policy)) {
    return deny(`a private address is fetched only in full mode, or under an allow rule net(${hostAndPort(url)})`);
  }
  const asked = forbidding("ask");
  if (asked) return { action: "ask", reason: `the ask rule ${asked.text}` };
  const allowed = policy.rules.find((rule) => rule.action === "allow" && matchesUrl(rule, url, false));
  if (allowed) return { action: "allow", reason: `the allow rule ${allowed.text}` };
  if (policy.mode === "full") return { action: "allow", reason: "full mode" };
  return { action: "ask", reason: `${url.host} was not fetched from before` };
}

/** Whether any rule that forbids or asks names an address: what a name leads to then matters. */
export function hasAddressRules({ rules }: Pick<Policy, "rules">): boolean {
  return rules.some((rule) => isForbidding(rule) && rule.tool === "net" && addressesOf(rule.host).length > 0);
}

/** Whether a rule forbids, or asks about, what the host's name leads to, and not the name itself. */
export function concernsAddresses({ url, addresses = [] }: UrlCall, { rules }: Pick<Policy, "rules">): boolean {
  return rules.some((rule) =>
    isForbidding(rule) && matchesAnyName(rule, url, addresses) && !matchesAnyName(rule, url, [])
  );
}

function isForbidding({ action }: Rule): boolean {
  return action !== "allow";
}

/** Whether an address of this machine or its surroundings may be fetched: in `full` mode, or where a rule names it. */
export function privateUrlAllowed(url: URL, { mode, rules }: Pick<Policy, "mode" | "rules">): boolean {
  return mode === "full" ||
    rules.some((rule) =>
      rule.action === "allow" && rule.tool === "net" && !rule.subdomains && rule.host === url.hostname &&
      rule.port === portOf(url)
    );
}

/** Whether the rule is about the host's name, or about an address for which the name stands. */
function matchesAnyName(rule: Rule, url: URL, addresses: readonly string[]): boolean {
  if (matchesUrl(rule, url, true)) return true;
  if (rule.tool !== "net" || (rule.port !== undefined && rule.port !== portOf(url))) return false;
  const named = rule.subdomains ? [] : addressesOf(rule.host);
  const meant = [url.hostname, ...addresses].flatMap(addressesOf);
  return named.some((address) => meant.includes(address));
}

function matchesUrl(rule: Rule, url: URL, anyPort: boolean): boolean {
  if (rule.tool !== "net") return false;
  const host = rule.subdomains
    ? rule.host === "" || url.hostname.endsWith(`.${rule.host}`)
    : rule.host === url.hostname;
  const port = rule.port === undefined ? anyPort || url.port === "" : rule.port === portOf(url);
  return host && port;
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

function portOf(url: URL): string {
  return url.port !== "" ? url.port : url.protocol === "https:" ? "443" : "80";
}
