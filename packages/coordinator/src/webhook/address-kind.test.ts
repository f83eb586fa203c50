import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAddress, readGroups } from "./address.ts";
import { type AddressKind, addressKind } from "./address-kind.ts";

function kindOf(text: string): AddressKind | undefined {
  const address = parseAddress(text);
  return address && addressKind(address);
}

/** First and last address of every network that is not the internet, and its neighbours. */
const NETWORKS: readonly (readonly [AddressKind, string, string])[] = [
  ["unspecified", "0.0.0.0", "0.255.255.255"],
  ["private", "10.0.0.0", "10.255.255.255"],
  ["shared", "100.64.0.0", "100.127.255.255"],
  ["loopback", "127.0.0.0", "127.255.255.255"],
  ["link-local", "169.254.0.0", "169.254.255.255"],
  ["private", "172.16.0.0", "172.31.255.255"],
  ["reserved", "192.0.0.0", "192.0.0.255"],
  ["private", "192.168.0.0", "192.168.255.255"],
  ["reserved", "198.18.0.0", "198.19.255.255"],
  ["multicast", "224.0.0.0", "239.255.255.255"],
  ["reserved", "240.0.0.0", "255.255.255.255"],
  ["unspecified", "::", "::"],
  ["loopback", "::1", "::1"],
  ["private", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

test.each(NETWORKS)("%s: %s to %s", (kind, first, last) => {
  expect([kindOf(first), kindOf(last)]).toEqual([kind, kind]);
});

test.each([
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "8.8.8.8",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
])("%s is public", (text) => {
  expect(kindOf(text)).toBe("public");
});

test.each([
  "169.254.169.254",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
])("%s is a metadata service", (text) => {
  expect(kindOf(text)).toBe("metadata");
});

test.each(["::127.0.0.1", "::ffff:0:127.0.0.1", "2001::1", "2001:db8::1", "3fff::1", "100::1", "4000::1"])(
  "%s is not the internet",
  (text) => {
    expect(kindOf(text)).toBe("reserved");
  },
);

describe("an IPv4 address behind IPv6", () => {
  const hex = (ipv4: string) =>
    ipv4
      .split(".")
      .map((byte) => Number(byte).toString(16).padStart(2, "0"))
      .join("")
      .replace(/^(.{4})/, "$1:");

  test.each([
    ["mapped", (ipv4: string) => `::ffff:${ipv4}`],
    ["mapped, in hexadecimal", (ipv4: string) => `::ffff:${hex(ipv4)}`],
    ["NAT64", (ipv4: string) => `64:ff9b::${ipv4}`],
    ["6to4", (ipv4: string) => `2002:${hex(ipv4)}::1`],
  ])("has the kind of the IPv4 address: %s", (_, dressed) => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        expect(kindOf(dressed(ipv4))).toBe(kindOf(ipv4));
      }),
    );
    for (const [, first, last] of NETWORKS.filter(([, first]) => first.includes("."))) {
      expect(kindOf(dressed(first))).toBe(kindOf(first));
      expect(kindOf(dressed(last))).toBe(kindOf(last));
    }
  });
});

test("no IPv6 address outside 2000::/3 is public, except behind NAT64", () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const address = parseAddress(text);
      fc.pre(address?.type === "ipv6");
      const [first = 0, ...rest] = readGroups(address);
      fc.pre(first >> 13 !== 1 && [first, ...rest.slice(0, 5)].join() !== "100,65435,0,0,0,0");
      expect(kindOf(text)).not.toBe("public");
    }),
    { numRuns: 2_000 },
  );
});
