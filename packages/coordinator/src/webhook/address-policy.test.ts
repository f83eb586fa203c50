import { describe, expect, test } from "vitest";
import { parseAddress } from "./address.ts";
import { readAddressPolicy } from "./address-policy.ts";

function allows(allowed: boolean | readonly string[] | undefined, host: string, text = host): boolean {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`${text} is no address`);
  return readAddressPolicy(allowed)(host, address);
}

describe("a policy without private addresses", () => {
  test.each([undefined, false, []])("lets public addresses be called and no others (%j)", (nothing) => {
    expect(allows(nothing, "example.com", "8.8.8.8")).toBe(true);
    expect(allows(nothing, "localhost", "127.0.0.1")).toBe(false);
    expect(allows(nothing, "10.0.0.1")).toBe(false);
    expect(allows(nothing, "cloud", "169.254.169.254")).toBe(false);
  });
});

describe("a policy with private addresses", () => {
  test.each(["127.0.0.1", "10.0.0.1", "192.168.1.1", "100.64.0.1", "::1", "fd00::1"])("allows %s", (text) => {
    expect(allows(true, "host", text)).toBe(true);
  });

  test.each(["169.254.169.254", "169.254.0.1", "fd00:ec2::254", "fe80::1", "0.0.0.0", "224.0.0.1", "::"])(
    "does not allow %s",
    (text) => {
      expect(allows(true, "host", text)).toBe(false);
    },
  );
});

describe("a network", () => {
  test("allows what lies in it, under whichever name", () => {
    expect(allows(["10.1.0.0/16"], "any", "10.1.2.3")).toBe(true);
    expect(allows(["10.1.0.0/16"], "any", "10.2.2.3")).toBe(false);
    expect(allows(["127.0.0.1"], "any", "127.0.0.1")).toBe(true);
    expect(allows(["127.0.0.1"], "any", "127.0.0.2")).toBe(false);
    expect(allows(["127.0.0.1/32"], "any", "::ffff:127.0.0.1")).toBe(true);
  });

  test("does not allow its addresses through a gateway", () => {
    expect(allows(["10.0.0.0/8"], "any", "64:ff9b::10.0.0.1")).toBe(false);
  });

  test("allows even a metadata service, when it is named", () => {
    expect(allows(["169.254.169.254/32"], "any", "169.254.169.254")).toBe(true);
  });
});

describe("a host's name", () => {
  test.each(["hooks.internal", "HOOKS.internal.", "hooks.internal."])("allows that host (%s)", (entry) => {
    expect(allows([entry], "hooks.internal", "10.0.0.1")).toBe(true);
    expect(allows([entry], "hooks.internal.", "10.0.0.1")).toBe(true);
    expect(allows([entry], "other.internal", "10.0.0.1")).toBe(false);
    expect(allows([entry], "a.hooks.internal", "10.0.0.1")).toBe(false);
  });

  test("does not make a metadata service of it", () => {
    expect(allows(["hooks.internal"], "hooks.internal", "169.254.169.254")).toBe(false);
  });
});

test.each(["10.0.0.0/33", "10.0.0.256", "http://host", "host:80", "*.internal", "", "a b", "user@host"])(
  "%j is refused when it is read",
  (entry) => {
    expect(() => readAddressPolicy([entry])).toThrow(TypeError);
    expect(() => readAddressPolicy([entry])).toThrow(JSON.stringify(entry));
  },
);
