import { BlockList, isIPv4, isIPv6 } from "node:net";

/** An IP address. */
export interface Address {
  readonly type: "ipv4" | "ipv6";
  readonly text: string;
}

/** The addresses of one type that begin with the same bits. */
export interface Network {
  readonly type: Address["type"];
  readonly addresses: BlockList;
}

/**
 * Reads an address in any of its spellings; `undefined` for what is none. An IPv6 zone is left out, and an
 * IPv4-mapped IPv6 address (`::ffff:127.0.0.1`) is returned as IPv4, because that is where a connection to it goes.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { type: "ipv4", text };
  const [unscoped = ""] = text.split("%");
  if (!isIPv6(unscoped)) return undefined;
  const address = { type: "ipv6", text: unscoped } as const;
  const isMapped = readGroups(address).slice(0, 6).join() === "0,0,0,0,0,65535";
  return isMapped ? ipv4Inside(address, 6) : address;
}

/** Reads `10.0.0.0/8`, or a single address; `undefined` for what is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [start = "", length, ...rest] = text.split("/");
  const address = parseAddress(start);
  if (address === undefined || rest.length > 0) return undefined;
  const width = address.type === "ipv4" ? 32 : 128;
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > width)) return undefined;
  const addresses = new BlockList();
  addresses.addSubnet(address.text, Number(length ?? width), address.type);
  return { type: address.type, addresses };
}

/** Whether an address lies in a network. Node's list would find every IPv4 address in `::/0`. */
export function contains({ type, addresses }: Network, address: Address): boolean {
  return type === address.type && addresses.check(address.text, type);
}

/** The IPv4 address that an IPv6 address has in two of its groups. */
export function ipv4Inside(address: Address, group: number): Address {
  const [high = 0, low = 0] = readGroups(address).slice(group);
  return { type: "ipv4", text: [high >> 8, high & 255, low >> 8, low & 255].join(".") };
}

/** The eight groups of 16 bits of an IPv6 address. */
export function readGroups({ text }: Address): readonly number[] {
  // A URL has its shortest form, without dots.
  const [head = "", tail = ""] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const [first, last] = [head, tail].map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill("0");
  return [...(first ?? []), ...zeros, ...(last ?? [])].map((group) => Number.parseInt(group, 16));
}
