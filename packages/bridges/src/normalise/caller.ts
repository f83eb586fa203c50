import type { Client } from "../shape/client.ts";
import { textAt } from "./value-at.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The client that really calls. A client that also reads the configuration of another one sets its own variables in the
 * environment. When the environment has the payload's session, the named client is certain.
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
