import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { orAborted } from "@tenterhook/internal";
import { parseAddress } from "./address.ts";
import { addressKind } from "./address-kind.ts";
import { type AddressPolicy, refusalText } from "./address-policy.ts";
import { WebhookFailure } from "./webhook-failure.ts";
import { hostOf } from "./webhook-url.ts";

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** The port to DNS: all addresses of a host. It may reject, or be slow: the call's deadline applies. */
export type Lookup = (host: string) => Promise<readonly HostAddress[]>;

/** A URL that may be called, and the only addresses to connect to. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly HostAddress[];
}

export const systemLookup: Lookup = (host) => lookup(host, { all: true });

/**
 * Looks up the addresses of a URL, and refuses it if any of its addresses may not be called: a host that is half private is
 * either a mistake or an attack. Connections must go to the addresses that are returned. A second
 * lookup could have another answer.
 */
export async function checkedTarget(
  url: URL,
  { allows, lookup }: { readonly allows: AddressPolicy; readonly lookup: Lookup },
  signal: AbortSignal,
): Promise<Target> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family === 0 ? await found(host, lookup, signal) : [{ address: host, family }];
  for (const { address } of addresses) {
    const parsed = parseAddress(address);
    if (parsed !== undefined && allows(host, parsed)) continue;
    const kind = parsed === undefined ? "unreadable" : addressKind(parsed);
    throw new WebhookFailure("address_refused", refusalText(address, kind, host));
  }
  return { url, addresses };
}

async function found(host: string, lookup: Lookup, signal: AbortSignal): Promise<readonly HostAddress[]> {
  let addresses: readonly HostAddress[] = [];
  try {
    addresses = await orAborted(lookup(host), signal);
  } catch {
    signal.throwIfAborted();
  }
  if (addresses.length > 0) return addresses;
  throw new WebhookFailure("lookup_failed", `No address was found for the host ${host}.`, {
    isRetryable: true,
  });
}
