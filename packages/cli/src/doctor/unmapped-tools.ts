import { type Client, readUnmappedTools } from "@tenterhook/bridges";
import type { StepResult } from "./finding.ts";

/** Lists the tools that coding agents have called and that have no canonical name, as information. */
export function listUnmappedTools(clients: readonly Client[], state: string): StepResult {
  const notes = clients.flatMap((client) => {
    const tools = readUnmappedTools(state, client);
    const commands = tools.filter(({ isShell }) => isShell).map(({ name }) => name);
    const others = tools.filter(({ isShell }) => !isShell).map(({ name }) => name);
    return [
      ...(commands.length > 0
        ? [`${client.name} gives commands to ${commands.join(", ")}: matchers find them as Shell too`]
        : []),
      ...(others.length > 0
        ? [`${client.name} has called ${others.join(", ")}: only a matcher of that name finds them`]
        : []),
    ];
  });
  return { findings: [], notes };
}
