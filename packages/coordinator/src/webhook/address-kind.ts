import { type Address, contains, ipv4Inside, type Network, parseNetwork } from "./address.ts";

/** The kinds of addresses. Only `public` ones are called unless others are allowed. */
export type AddressKind =
  | "public"
  | "loopback"
  | "private"
  | "shared"
  | "link-local"
  | "metadata"
  | "unspecified"
  | "multicast"
  | "reserved";

/** The first row that contains an address decides, so single addresses come before the networks around them. */
const KINDS: readonly (readonly [cidr: string, kind: AddressKind])[] = [
  // Where machines in a cloud get their credentials: AWS and most others, Alibaba, Azure, Oracle, AWS and Google by IPv6.
  ["169.254.169.254/32", "metadata"],
  ["100.100.100.200/32", "metadata"],
  ["168.63.129.16/32", "metadata"],
  ["192.0.0.192/32", "metadata"],
  ["fd00:ec2::254/128", "metadata"],
  ["fd20:ce::254/128", "metadata"],
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "reserved"],
  ["192.88.99.0/24", "reserved"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "reserved"],
  ["198.51.100.0/24", "reserved"],
  ["203.0.113.0/24", "reserved"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["0.0.0.0/0", "public"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["64:ff9b:1::/48", "private"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "private"],
  ["ff00::/8", "multicast"],
  // Teredo, ORCHID and benchmarks; documentation.
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "reserved"],
  ["3fff::/20", "reserved"],
  ["2000::/3", "public"],
  // All other IPv6 addresses, such as IPv4 addresses behind ::/96, are not public.
  ["::/0", "reserved"],
];

const rows = KINDS.map(([cidr, kind]) => [network(cidr), kind] as const);

/** Gateways behind which an IPv4 address is reached: its kind is that of the IPv4 address. */
const NAT64 = network("64:ff9b::/96");
const SIX_TO_FOUR = network("2002::/16");

/** The kind of an address. */
export function addressKind(address: Address): AddressKind {
  if (contains(NAT64, address)) return addressKind(ipv4Inside(address, 6));
  if (contains(SIX_TO_FOUR, address)) return addressKind(ipv4Inside(address, 1));
  return rows.find(([network]) => contains(network, address))?.[1] ?? "reserved";
}

function network(cidr: string): Network {
  const parsed = parseNetwork(cidr);
  if (parsed === undefined) throw new TypeError(`${cidr} is not a network`);
  return parsed;
}
