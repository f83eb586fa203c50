import type { IncomingMessage } from "node:http";
import {
  type Address,
  contains,
  type Network,
  parseAddress,
  parseNetwork,
  readGroups,
} from "../webhook/address.ts";

/** The address that a request came from, for limits. A client of IPv6 has a whole network of 64 bits. */
export type ClientAddress = (incoming: IncomingMessage) => string;

/**
 * Reads the address of a client. What a proxy forwards counts only from proxies that are named, as addresses or networks:
 * anyone can write the header. Throws a `TypeError` for an entry that is neither.
 */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  const trusted = proxies.map(readProxy);
  return ({ socket: { remoteAddress = "" }, headers }) => {
    const direct = parseAddress(remoteAddress);
    if (direct === undefined) return remoteAddress;
    const hops = trusted.length === 0 ? [] : String(headers["x-forwarded-for"] ?? "").split(",");
    return formatClient(firstUntrusted(direct, hops, trusted));
  };
}

/** Each proxy appends the address that it was called from, so the last ones are those of the proxies. */
function firstUntrusted(direct: Address, hops: readonly string[], trusted: readonly Network[]): Address {
  let address = direct;
  for (const hop of hops.toReversed()) {
    if (!trusted.some((network) => contains(network, address))) return address;
    const next = parseAddress(hop.trim());
    if (next === undefined) return address;
    address = next;
  }
  return address;
}

function readProxy(entry: string): Network {
  const network = parseNetwork(entry);
  if (network !== undefined) return network;
  throw new TypeError(`trustedProxies: ${JSON.stringify(entry)} is neither an address nor a network.`);
}

function formatClient(address: Address): string {
  if (address.type === "ipv4") return address.text;
  const network = readGroups(address).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}
