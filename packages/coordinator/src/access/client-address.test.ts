import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const PROXIES = ["10.0.0.0/8", "fd00::1"];

test.each([
  ["of the connection, without a proxy", [], "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  ["of the connection, if that is not a proxy", PROXIES, "192.0.2.1", "198.51.100.7", "192.0.2.1"],
  ["that the proxy forwards", PROXIES, "10.1.2.3", "198.51.100.7", "198.51.100.7"],
  [
    "that the last proxy forwards, not what the client wrote",
    PROXIES,
    "10.1.2.3",
    "1.1.1.1, 198.51.100.7",
    "198.51.100.7",
  ],
  ["before several proxies", PROXIES, "10.1.2.3", "1.1.1.1, 198.51.100.7, 10.9.9.9", "198.51.100.7"],
  ["of the proxy, if it forwards none", PROXIES, "10.1.2.3", undefined, "10.1.2.3"],
  ["of the proxy, if it forwards no address", PROXIES, "10.1.2.3", "unknown", "10.1.2.3"],
  ["in its short form", PROXIES, "::ffff:10.1.2.3", "198.51.100.7", "198.51.100.7"],
  ["as a network of 64 bits", PROXIES, "fd00::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
])("an address is the one %s", (_, proxies, remoteAddress, forwarded, expected) => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const incoming = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
  expect(clientAddress(proxies)(incoming)).toBe(expected);
});

test("a proxy that is neither an address nor a network is refused", () => {
  expect(() => clientAddress(["proxy.example"])).toThrow(
    '"proxy.example" is neither an address nor a network',
  );
});
