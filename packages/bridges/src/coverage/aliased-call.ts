import { isCanonicalTool } from "@tenterhook/protocol/internal";
import type { CanonicalCall } from "../call/translate/canonical-call.ts";
import { readCall } from "../call/translate/translate.ts";
import type { Client } from "../definition/client.ts";

/** The clients whose own name of a tool this is; none for a canonical name. */
export function clientsWithTool(clients: readonly Client[], name: string): readonly Client[] {
  if (isCanonicalTool(name)) return [];
  return clients.filter(({ tools: { rows } }) => Object.hasOwn(rows, name));
}

/**
 * The calls that hooks get for a call with a client's tool name, as that client's bridge makes them. Of several clients with that
 * name, the first whose arguments these are. Throws `UnreadableCall`.
 */
export function readAliasedCall(
  clients: readonly Client[],
  name: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
): readonly CanonicalCall[] | undefined {
  const calls = clientsWithTool(clients, name).map(
    ({ tools }) => readCall(tools, name, input, undefined, cwd).calls,
  );
  const isRenamed = ([call]: readonly CanonicalCall[]) =>
    call !== undefined && Object.keys(call.input).some((key) => !Object.hasOwn(input, key));
  return calls.find(isRenamed) ?? calls[0];
}
