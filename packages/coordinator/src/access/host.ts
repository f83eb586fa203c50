import type { IncomingMessage } from "node:http";
import { Problem } from "../problem.ts";

const ALWAYS = ["localhost", "127.0.0.1", "[::1]"];

/** Checks by its Host header whether a request is meant for this coordinator. */
export type HostCheck = (incoming: IncomingMessage) => void;

/**
 * A page of another site can make its own name point at this machine, and would then be of the same origin as the
 * coordinator (DNS rebinding). So the Host must be a known name, or the address that the connection came in on:
 * an address cannot be made to point elsewhere.
 */
export function hostCheck(names: readonly string[]): HostCheck {
  const allowed = new Set([...ALWAYS, ...names].map((name) => name.toLowerCase().replace(/\.$/, "")));
  return (incoming) => {
    // A proxy in front may have checked the other one.
    if (countHosts(incoming) > 1)
      throw new Problem("bad_request", "the request has more than one Host header");
    const name = hostName(incoming.headers.host ?? "");
    if (allowed.has(name) || name === ownAddress(incoming)) return;
    throw new Problem("host_refused", `the coordinator does not answer to the name "${name}"`, {
      hint: `Use localhost, or start the coordinator with --allow-host ${/^[a-z0-9.-]{1,253}$/.test(name) ? name : "NAME"}.`,
    });
  };
}

/** Node keeps the first of several. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === "host") count++;
  return count;
}

/** `example.org:4100` without its port, lower case, without the last dot. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

function ownAddress({ socket }: IncomingMessage): string | undefined {
  const address = socket.localAddress?.replace(/^::ffff:/, "");
  return address?.includes(":") ? `[${address}]` : address;
}
