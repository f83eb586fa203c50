import { isIPv4, isIPv6 } from "node:net";

/** An IP address as a number. */
export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** The addresses that begin with the same bits. */
export interface Network extends Address {
  readonly prefix: number;
}

/**
 * Reads an address in any of its spellings; `undefined` for what is none. An IPv6 zone is left out, and an
 * IPv4-mapped IPv6 address (`::ffff:127.0.0.1`) is returned as IPv4, because that is where a connection to it goes.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, bits: ipv4Bits(text) };
  const [unscoped = ""] = text.split("%");
  if (!isIPv6(unscoped)) return undefined;
  const bits = ipv6Bits(unscoped);
  if (bits >> 32n === 0xffffn) return { family: 4, bits: lastFourBytes(bits) };
  return { family: 6, bits };
}

/** Reads `10.0.0.0/8`, or a single address; `undefined` for what is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [start = "", length, ...rest] = text.split("/");
  const address = parseAddress(start);
  if (address === undefined || rest.length > 0) return undefined;
  const width = widthOf(address);
  if (length === undefined) return { ...address, prefix: width };
  if (!/^\d{1,3}$/.test(length) || Number(length) > width) return undefined;
  return { ...address, prefix: Number(length) };
}

/** Whether an address lies in a network. */
export function contains(network: Network, address: Address): boolean {
  if (network.family !== address.family) return false;
  const rest = BigInt(widthOf(network) - network.prefix);
  return network.bits >> rest === address.bits >> rest;
}

/** The IPv4 address that the bits end with. */
export function lastFourBytes(bits: bigint): bigint {
  return bits & 0xffff_ffffn;
}

function widthOf({ family }: Address): number {
  return family === 4 ? 32 : 128;
}

function ipv4Bits(text: string): bigint {
  return text.split(".").reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
}

function ipv6Bits(text: string): bigint {
  const [head = "", tail = ""] = text.split("::");
  const first = groupsOf(head);
  const last = groupsOf(tail);
  const zeros = new Array<bigint>(8 - first.length - last.length).fill(0n);
  return [...first, ...zeros, ...last].reduce((bits, group) => (bits << 16n) | group, 0n);
}

function groupsOf(text: string): bigint[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [BigInt(`0x${group}`)];
    const bits = ipv4Bits(group);
    return [bits >> 16n, bits & 0xffffn];
  });
}
