/**
 * Decides about addresses on the network.
 *
 * @module
 */

import { isPrivateAddress, isPrivateHost } from "./addresses.ts";
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
  const matching = (action: string, anyPort: boolean) =>
    policy.rules.find((rule) => rule.action === action && matchesUrl(rule, url, anyPort));
  const denied = matching("deny", true);
  if (denied) return deny(`the deny rule ${denied.text}`);
  const isPrivate = isPrivateHost(url.hostname) || addresses.some(isPrivateAddress);
  if (isPrivate && !privateUrlAllowed(url, policy)) {
    return deny(`a private address is fetched only in full mode, or under an allow rule net(${hostAndPort(url)})`);
  }
  const asked = matching("ask", true);
  if (asked) return { action: "ask", reason: `the ask rule ${asked.text}` };
  const allowed = matching("allow", false);
  if (allowed) return { action: "allow", reason: `the allow rule ${allowed.text}` };
  if (policy.mode === "full") return { action: "allow", reason: "full mode" };
  return { action: "ask", reason: `${url.host} was not fetched from before` };
}

/** Whether an address of this machine or its surroundings may be fetched: in `full` mode, or where a rule names it. */
export function privateUrlAllowed(url: URL, { mode, rules }: Pick<Policy, "mode" | "rules">): boolean {
  return mode === "full" ||
    rules.some((rule) =>
      rule.action === "allow" && rule.tool === "net" && !rule.subdomains && rule.host === url.hostname &&
      rule.port === portOf(url)
    );
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
