import type { Client } from "../shape/client.ts";
import { textAt } from "./value-at.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The client that really calls: one that also reads the configuration of the client that was installed for leaves its own
 * marks in the environment. Where the session of the environment is the payload's, the client that was named is certain.
 */
export function realCaller(
  named: Client,
  others: readonly Client[],
  payload: Readonly<Record<string, unknown>>,
  env: Environment,
): Client {
  const { session } = named.environment;
  const isCertain =
    session !== undefined &&
    env[session] !== undefined &&
    env[session] === textAt(payload, named.fields.sessionId);
  if (isCertain) return named;
  const reads = ({ readsFilesOf, environment }: Client) =>
    readsFilesOf.includes(named.id) && environment.hookMarkers.some((name) => Boolean(env[name]));
  return others.find(reads) ?? named;
}
