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

/** The tools that a blueprint names: the machine's own, else built-in ones. Throws `bad_agent` for a name that is neither. */
export function chosenTools(
  names: readonly string[],
  { tools, allowedSecrets }: Pick<Machine, "tools" | "allowedSecrets">,
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
    ...builtInTools({ only: builtIn as BuiltInToolName[], shell: { env: allowedSecrets } }),
    ...(own as AgentTools),
  };
}

/** The MCP servers that a blueprint names. */
export function chosenServers(
  names: readonly string[],
  { mcpServers }: Pick<Machine, "mcpServers">,
): Readonly<Record<string, McpServerConfig>> {
  return Object.fromEntries(
    names.map((name) => {
      const server = Object.hasOwn(mcpServers, name) ? mcpServers[name] : undefined;
      if (server === undefined) throw missing("MCP server", name, Object.keys(mcpServers));
      return [name, server];
    }),
  );
}

function missing(what: string, name: string, known: readonly string[]): TenterhookError {
  const all = known.length === 0 ? "It has none." : `It has: ${known.join(", ")}.`;
  return new TenterhookError("bad_agent", `this runner has no ${what} "${name}".`, {
    hint: didYouMean(name, known, all),
  });
}
