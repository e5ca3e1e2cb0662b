import { assertEquals } from "@std/assert";
import { isPrivateAddress, isPrivateHost } from "../../src/permissions/addresses.ts";

Deno.test("isPrivateAddress() knows every range that is not the public network's", () => {
  const yes = [
    ...[
      "0.0.0.0",
      "10.1.2.3",
      "100.64.0.1",
      "127.0.0.1",
      "127.255.255.255",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
    ],
    ...[
      "192.0.0.1",
      "192.168.1.1",
      "198.18.0.1",
      "198.19.255.255",
      "203.0.113.7",
      "224.0.0.1",
      "240.0.0.1",
      "255.255.255.255",
    ],
    ...[
      "::",
      "::1",
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "::ffff:0:10.0.0.1",
      "::127.0.0.1",
      "64:ff9b::10.0.0.1",
      "64:ff9b:1::1",
    ],
    ...[
      "2002:7f00:1::",
      "2002:0a00:0001::1",
      "2001::1",
      "2001:db8::1",
      "fc00::1",
      "fd12::1",
      "fe80::1",
      "fec0::1",
      "ff02::1",
    ],
    ...["100::1", "3fff::1", "fe80::1%eth0", "", "localhost", "1.2.3", "256.1.1.1", ":::", "1::2::3"],
  ];
  for (const ip of yes) assertEquals([ip, isPrivateAddress(ip)], [ip, true]);
  const no = [
    ...[
      "1.1.1.1",
      "8.8.8.8",
      "100.63.255.255",
      "100.128.0.1",
      "172.15.0.1",
      "172.32.0.1",
      "192.169.0.1",
      "223.255.255.255",
    ],
    ...[
      "2606:4700::1111",
      "2001:4860:4860::8888",
      "2a00::1",
      "::ffff:8.8.8.8",
      "64:ff9b::8.8.8.8",
      "2002:0808:0808::1",
    ],
  ];
  for (const ip of no) assertEquals([ip, isPrivateAddress(ip)], [ip, false]);
});

Deno.test("isPrivateHost() sees through every notation of an address", () => {
  const yes = [
    ...[
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "127.1",
      "0",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
    ],
    ...[
      "localhost",
      "LOCALHOST",
      "localhost.",
      "a.localhost",
      "printer.local",
      "metadata.google.internal",
      "intranet",
      "x.home.arpa",
    ],
    ...["１２７.0.0.1", "127。0。0。1", "", "a b", "a/b", "a@b", "x\0y", "[::1"],
  ];
  for (const host of yes) assertEquals([host, isPrivateHost(host)], [host, true]);
  for (const host of ["example.com", "1.1.1.1", "[2606:4700::1111]", "localhost.example.com", "bücher.example.com"]) {
    assertEquals([host, isPrivateHost(host)], [host, false]);
  }
});
