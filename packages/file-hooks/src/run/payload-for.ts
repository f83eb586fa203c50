import { matches } from "@tenterhook/engine/internal";
import type { EventName, HookFile, Payload } from "@tenterhook/protocol";
import { matcherOf } from "../parse/matcher.ts";

/**
 * An event as a hook's script gets it. A hook that found the tool by an alias gets the alias as the tool's name, because scripts compare
 * the name that their matcher has; the tool's own name is then among the aliases.
 */
export function payloadFor<E extends EventName>(
  { matcher }: Pick<HookFile, "matcher">,
  event: E,
  payload: Payload<E>,
): Payload<E> {
  const { toolName, toolAliases = [] } = payload as { toolName?: string; toolAliases?: readonly string[] };
  if (toolName === undefined || toolAliases.length === 0 || matcher?.tool === undefined) return payload;
  const names = matcherOf({ matcher: { tool: matcher.tool } });
  const isFound = (name: string) => names === undefined || matches(names, event, { toolName: name });
  const alias = isFound(toolName) ? undefined : toolAliases.find(isFound);
  if (alias === undefined) return payload;
  const others = [toolName, ...toolAliases.filter((name) => name !== alias)];
  return { ...payload, toolName: alias, toolAliases: others };
}
