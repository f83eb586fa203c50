import type { CanonicalCall } from "../call/translate/canonical-call.ts";
import { readCall } from "../call/translate/tool-calls.ts";
import type { Client } from "../definition/client.ts";
import { CANONICAL_TOOLS } from "../definition/tools.ts";

/** What a client's name of a tool stands for. */
export interface ToolAlias {
  /** The canonical names of the tool; which of several it is may depend on the input. */
  readonly tools: readonly string[];
  /** The names of the clients that have a tool of that name. */
  readonly clients: readonly string[];
}

/** The canonical tool of a client's tool name; `undefined` for a canonical name, and for one that no client translates. */
export function findToolAlias(clients: readonly Client[], name: string): ToolAlias | undefined {
  const having = clientsWith(clients, name);
  if (having.length === 0) return undefined;
  const tools = having.flatMap(({ tools: { rows } }) => [rows[name] ?? []].flat().map((row) => row.name));
  return { tools: [...new Set(tools)], clients: having.map((client) => client.name) };
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
  const calls = clientsWith(clients, name).map(
    ({ tools }) => readCall(tools, name, input, undefined, cwd).calls,
  );
  const isRenamed = ([call]: readonly CanonicalCall[]) =>
    call !== undefined && Object.keys(call.input).some((key) => !Object.hasOwn(input, key));
  return calls.find(isRenamed) ?? calls[0];
}

function clientsWith(clients: readonly Client[], name: string): readonly Client[] {
  if (isCanonicalTool(name)) return [];
  return clients.filter(({ tools: { rows } }) => Object.hasOwn(rows, name));
}

/** Whether a tool's name is one that matchers are written for. */
export function isCanonicalTool(name: string): boolean {
  return CANONICAL_TOOLS.some((tool) => tool === name);
}
