import { type Address, contains, type Network, parseNetwork } from "./address.ts";
import { type AddressKind, addressKind } from "./address-kind.ts";

/** Whether a host may be called at one of its addresses. */
export type AddressPolicy = (host: string, address: Address) => boolean;

/** The address ranges of private networks. Others, metadata services above all, must be allowed as a network. */
const PRIVATE_KINDS: ReadonlySet<AddressKind> = new Set(["loopback", "private", "shared"]);

/**
 * Reads which addresses may be called besides public ones. `true` stands for loopback, private and shared addresses; so
 * does a host's name, for that host. A network (`10.0.0.0/8`) or an address stands for itself, whatever it is. Throws a
 * `TypeError` for an entry that is neither, so that a mistyped permission is noticed before its first use.
 */
export function readAddressPolicy(allowed: boolean | readonly string[] = false): AddressPolicy {
  const networks: Network[] = [];
  const hosts = new Set<string>();
  for (const entry of allowed === true || allowed === false ? [] : allowed) {
    const network = parseNetwork(entry);
    if (network === undefined) hosts.add(readHost(entry));
    else networks.push(network);
  }
  return (host, address) => {
    const kind = addressKind(address);
    if (kind === "public" || networks.some((network) => contains(network, address))) return true;
    return PRIVATE_KINDS.has(kind) && (allowed === true || hosts.has(withoutLastDot(host)));
  };
}

function readHost(entry: string): string {
  if (/^[\p{L}\p{N}_.-]+$/u.test(entry) && URL.canParse(`http://${entry}`)) {
    return withoutLastDot(new URL(`http://${entry}`).hostname);
  }
  throw new TypeError(`allowPrivate: ${JSON.stringify(entry)} is neither a network nor the name of a host.`);
}

function withoutLastDot(host: string): string {
  return host.replace(/\.$/, "");
}
