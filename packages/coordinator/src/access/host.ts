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
    const name = hostName(incoming.headers.host ?? "");
    if (allowed.has(name) || name === ownAddress(incoming)) return;
    throw new Problem("host_refused", `the coordinator does not answer to the name "${name}"`, {
      hint: `Use localhost, or start the coordinator with --allow-host ${/^[a-z0-9.-]{1,253}$/.test(name) ? name : "NAME"}.`,
    });
  };
}

/** `example.org:4100` without its port, lower case, without the last dot. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

function ownAddress({ socket }: IncomingMessage): string | undefined {
  const address = socket.localAddress?.replace(/^::ffff:/, "");
  return address?.includes(":") ? `[${address}]` : address;
}
