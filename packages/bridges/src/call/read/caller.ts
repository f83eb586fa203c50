import type { Client } from "../../definition/client.ts";

/**
 * The client that really calls. A client that also reads the configuration of another one sets its own variables in the environment
 * of its hooks. `readers`: the clients that read the configuration of the named one.
 */
export function realCaller(
  named: Client,
  readers: readonly Client[],
  env: Readonly<Record<string, string | undefined>>,
): Client {
  const calls = ({ environment }: Client) => environment.hookMarkers.some((name) => Boolean(env[name]));
  return readers.find(calls) ?? named;
}
