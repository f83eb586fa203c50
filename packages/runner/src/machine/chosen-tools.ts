import {
  type AgentTools,
  BUILT_IN_TOOL_NAMES,
  type BuiltInToolName,
  builtInTools,
  type McpServerConfig,
} from "@tenterhook/agent";
import { didYouMean } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { Machine } from "./machine.ts";

/** The tools that a blueprint names: the machine's own, else built-in ones, whose commands get the variables. Throws `bad_agent` for a name that is neither. */
export function chosenTools(
  names: readonly string[],
  { tools, allowedSecrets }: Pick<Machine, "tools" | "allowedSecrets">,
  variables?: Readonly<Record<string, string>>,
): AgentTools {
  const builtIn = names.filter((name) => !Object.hasOwn(tools, name));
  const unknown = builtIn.find((name) => !BUILT_IN_TOOL_NAMES.includes(name as BuiltInToolName));
  if (unknown !== undefined) {
    throw missing("tool", unknown, [...Object.keys(tools), ...BUILT_IN_TOOL_NAMES]);
  }
  const own = Object.fromEntries(
    names.flatMap((name) => (builtIn.includes(name) ? [] : [[name, tools[name]]])),
  );
  return {
    ...builtInTools({ only: builtIn as BuiltInToolName[], shell: { env: allowedSecrets, variables } }),
    ...(own as AgentTools),
  };
}

/** The MCP servers that a blueprint names; those that are started get the variables. */
export function chosenServers(
  names: readonly string[],
  { mcpServers }: Pick<Machine, "mcpServers">,
  variables?: Readonly<Record<string, string>>,
): Readonly<Record<string, McpServerConfig>> {
  return Object.fromEntries(
    names.map((name) => {
      const server = Object.hasOwn(mcpServers, name) ? mcpServers[name] : undefined;
      if (server === undefined) throw missing("MCP server", name, Object.keys(mcpServers));
      const isStarted = variables !== undefined && server.url === undefined;
      return [name, isStarted ? { ...server, env: { ...server.env, ...variables } } : server];
    }),
  );
}

function missing(what: string, name: string, known: readonly string[]): TenterhookError {
  const all = known.length === 0 ? "It has none." : `It has: ${known.join(", ")}.`;
  return new TenterhookError("bad_agent", `this runner has no ${what} "${name}".`, {
    hint: didYouMean(name, known, all),
  });
}
