import { isIP } from "node:net";
import { type Address, contains, type Network, parseAddress, parseNetwork } from "./address.ts";
import { type AddressKind, addressKind } from "./address-kind.ts";
import { hostOf } from "./webhook-url.ts";

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

/**
 * Why a URL is refused before it is called: its host is an address that is neither public nor of a private network, and is not allowed.
 * `undefined` for all others. Loopback and private addresses are refused by the call only, because hooks are often saved before the
 * coordinator is configured to allow them, and so are names, whose addresses change.
 */
export function refusedTarget(text: string, allows: AddressPolicy): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const host = hostOf(new URL(text));
  const address = isIP(host) === 0 ? undefined : parseAddress(host);
  if (address === undefined || allows(host, address)) return undefined;
  const kind = addressKind(address);
  return PRIVATE_KINDS.has(kind) ? undefined : refusalText(host, kind);
}

/** `10.0.0.1 (private) may not be called by http hooks`, and how to allow it. */
export function refusalText(address: string, kind: AddressKind | "unreadable", host = address): string {
  const what = host === address ? `${host} (${kind})` : `${host} leads to ${address} (${kind}), which`;
  return `${what} may not be called by http hooks; start the coordinator with --allow-private ${address} to allow it.`;
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
