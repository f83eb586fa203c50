import type { GoneReason } from "@tenterhook/file-hooks/discover";
import type { HookFile } from "@tenterhook/protocol";

/** What a guard that is gone means, and how to confirm it; or what hooks that are broken mean. */
export function goneSentence(
  { name, events, onError }: Pick<HookFile, "name" | "events" | "onError">,
  { why, command }: GoneReason,
): string {
  const effect =
    onError === "block" ? "what it checked is refused" : "what it checked passes, with a message";
  if (command === undefined)
    return `${name} (${events.join(", ")}) cannot be used: ${why}. Until then, ${effect}`;
  return `the guard ${name} (${events.join(", ")}) is gone: ${why}. Until you restore it, or run ${command}, ${effect}`;
}
