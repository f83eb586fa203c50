import fc from "fast-check";
import { expect, test } from "vitest";
import { contains, parseAddress, parseNetwork, readGroups } from "./address.ts";

test.each([
  ["::", [0, 0, 0, 0, 0, 0, 0, 0]],
  ["::1", [0, 0, 0, 0, 0, 0, 0, 1]],
  ["1::", [1, 0, 0, 0, 0, 0, 0, 0]],
  ["fe80::1%eth0", [0xfe80, 0, 0, 0, 0, 0, 0, 1]],
  ["64:FF9B::10.0.0.1", [0x64, 0xff9b, 0, 0, 0, 0, 0x0a00, 1]],
  ["1:2:3:4:5:6:7:8", [1, 2, 3, 4, 5, 6, 7, 8]],
  ["0:0:1:0:0:0:0:0", [0, 0, 1, 0, 0, 0, 0, 0]],
])("%s is read as the groups %j", (text, groups) => {
  const address = parseAddress(text);
  expect(address && readGroups(address)).toEqual(groups);
});

test("every IPv6 address is read with the groups that were written", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
      const text = groups.map((group) => group.toString(16)).join(":");
      expect(readGroups({ type: "ipv6", text })).toEqual(groups);
    }),
  );
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

test.each([
  ["10.0.0.1", "10.0.0.1", "10.0.0.2"],
  ["fd00::1", "fd00::1", "fd00::2"],
  ["10.0.0.0/8", "10.255.255.255", "11.0.0.0"],
  ["172.16.0.0/12", "172.31.255.255", "172.32.0.0"],
  ["::/0", "ffff::", "10.0.0.1"],
  ["0.0.0.0/0", "255.255.255.255", "::"],
  ["fc00::/7", "fdff::1", "fe00::"],
  ["::ffff:10.0.0.0/8", "10.9.8.7", "::a00:1"],
])("the network %s contains %s, and not %s", (text, inside, outside) => {
  const network = parseNetwork(text);
  const isInside = (other: string) => {
    const address = parseAddress(other);
    return network && address && contains(network, address);
  };
  expect([isInside(inside), isInside(outside)]).toEqual([true, false]);
});
