/**
 * Tells addresses of the public network from those of this machine and its surroundings.
 *
 * @module
 */

/** First address and prefix length of each IPv4 range that is not the public network's. */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // shared by a provider's customers
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // link-local, and the metadata of cloud machines
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** First groups of IPv6 prefixes that carry an IPv4 address, and the group at which it stands. */
const CARRIERS: readonly (readonly [groups: readonly number[], at: number])[] = [
  [[0, 0, 0, 0, 0, 0xffff], 6], // mapped
  [[0, 0, 0, 0, 0xffff, 0], 6], // translated
  [[0, 0, 0, 0, 0, 0], 6], // compatible; the loopback address too
  [[0x64, 0xff9b, 0, 0, 0, 0], 6], // NAT64
  [[0x2002], 1], // 6to4
];

/** Whether no name on the public network should lead to this address. What is no address counts as private. */
export function isPrivateAddress(ip: string): boolean {
  const v4 = parseV4(ip);
  if (v4 !== undefined) return isPrivateV4(v4);
  const groups = parseV6(ip);
  if (groups === undefined) return true;
  for (const [prefix, at] of CARRIERS) {
    if (prefix.every((group, i) => group === groups[i])) return isPrivateV4(groups[at]! * 0x10000 + groups[at + 1]!);
  }
  const [first = 0, second = 0] = groups;
  // only 2000::/3 is given out; of it, documentation and tunnels that hide an address are not the public network's
  if (first >> 13 !== 1) return true;
  return (first === 0x2001 && (second === 0xdb8 || second < 0x200)) || (first === 0x3fff && second < 0x1000);
}

/**
 * Whether a URL's host names this machine or its surroundings by itself. Of any other name the addresses must be
 * looked at when they are known.
 *
 * @param host As `URL.hostname` has it, or as a person writes it.
 */
export function isPrivateHost(host: string): boolean {
  const url = `http://${host}/`;
  if (host === "" || /[/\\@?#\s]/.test(host) || !URL.canParse(url)) return true;
  const { hostname } = new URL(url); // 2130706433 and 0x7f.1 become 127.0.0.1
  const name = hostname.replace(/\.$/, "");
  if (name.startsWith("[")) return isPrivateAddress(name.slice(1, -1));
  if (parseV4(name) !== undefined) return isPrivateAddress(name);
  return !name.includes(".") || /\.(?:localhost|local|localdomain|internal|home\.arpa)$/.test(name);
}

/**
 * The addresses for which a URL's host stands by itself, in one spelling: of an IPv6 address that maps an IPv4 one, that
 * one too; of `localhost` both of its own. None for any other name.
 *
 * @param host As `URL.hostname` has it, or an address as a resolver gives it.
 */
export function addressesOf(host: string): string[] {
  if (/^(?:.+\.)?localhost\.?$/.test(host)) return ["127.0.0.1", "[::1]"];
  if (parseV4(host) !== undefined) return [host];
  const groups = parseV6(host.replace(/^\[|\]$/g, ""));
  if (groups === undefined) return [];
  const { hostname } = new URL(`http://[${groups.map((group) => group.toString(16)).join(":")}]/`);
  if (!groups.slice(0, 5).every((group) => group === 0) || groups[5] !== 0xffff) return [hostname];
  return [hostname, groups.slice(6).flatMap((group) => [group >> 8, group & 255]).join(".")];
}

function isPrivateV4(address: number): boolean {
  return PRIVATE_V4.some(([first, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor(parseV4(first)! / size);
  });
}

/** The 32 bits of a dotted address. */
function parseV4(text: string): number | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined;
  const bytes = text.split(".").map(Number);
  return bytes.every((byte) => byte < 256) ? bytes.reduce((sum, byte) => sum * 256 + byte, 0) : undefined;
}

/** The eight groups of an address in any of its spellings. */
function parseV6(text: string): number[] | undefined {
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return undefined;
  const plain = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [head = "", tail] = plain.split("::");
  const groups = (part: string) => part === "" ? [] : part.split(":").map((group) => parseInt(group, 16));
  if (tail === undefined) return groups(head);
  const before = groups(head);
  const after = groups(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}
