import { BlockList } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contains, parseAddress, parseNetwork } from "./address.ts";

test.each([
  ["127.0.0.1", 4, 0x7f000001n],
  ["255.255.255.255", 4, 0xffff_ffffn],
  ["::", 6, 0n],
  ["::1", 6, 1n],
  ["1::", 6, 1n << 112n],
  ["fe80::1%eth0", 6, (0xfe80n << 112n) | 1n],
  ["64:FF9B::10.0.0.1", 6, (0x64ff9bn << 96n) | 0x0a000001n],
  ["1:2:3:4:5:6:7:8", 6, 0x0001_0002_0003_0004_0005_0006_0007_0008n],
])("%s is read", (text, family, bits) => {
  expect(parseAddress(text)).toEqual({ family, bits });
});

test.each(["::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:FFFF:127.0.0.1"])("%s is 127.0.0.1", (text) => {
  expect(parseAddress(text)).toEqual(parseAddress("127.0.0.1"));
});

test.each([
  "",
  "localhost",
  "127.1",
  "0x7f.0.0.1",
  "010.0.0.1",
  "1.2.3.4.5",
  ":::",
  "[::1]",
  "1::2::3",
  "%1",
])("%j is not an address", (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

test.each(["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "::/129", "10/8", "/8", "::/1e1"])(
  "%s is not a network",
  (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  },
);

test("an address alone is a network of one", () => {
  expect(parseNetwork("10.0.0.1")).toEqual(parseNetwork("10.0.0.1/32"));
  expect(parseNetwork("fd00::1")).toEqual(parseNetwork("fd00::1/128"));
});

const ipv4 = fc.ipV4().map((text) => ({ text, type: "ipv4" as const, width: 32 }));
const ipv6 = fc.ipV6().map((text) => ({ text, type: "ipv6" as const, width: 128 }));

test.each([
  ["IPv4", ipv4],
  ["IPv6", ipv6],
])("an %s address lies in a network exactly when Node's own block list has it", (_, addresses) => {
  const pairs = fc.oneof(
    fc.tuple(addresses, addresses),
    addresses.map((one) => [one, one] as const),
  );
  fc.assert(
    fc.property(pairs, fc.nat(128), ([start, other], length) => {
      const prefix = length % (start.width + 1);
      const network = parseNetwork(`${start.text}/${prefix}`);
      const address = parseAddress(other.text);
      // IPv4-mapped addresses have another family here: see above.
      fc.pre(network?.family === address?.family && network !== undefined && address !== undefined);
      const list = new BlockList();
      list.addSubnet(start.text, prefix, start.type);
      expect(contains(network, address)).toBe(list.check(other.text, other.type));
    }),
    { numRuns: 2_000 },
  );
});
