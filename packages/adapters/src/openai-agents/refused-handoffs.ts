import type { Scope } from "./scope.ts";
import type { Item } from "./sdk.ts";

/**
 * A refused handoff returns to its own agent, and the SDK writes only that agent's name into the conversation. The model reads the
 * reason instead.
 */
export function readRefusedHandoffs(scope: Scope, input: string | readonly Item[]): string | readonly Item[] {
  const { lastRefusal, refusedHandoffs } = scope;
  if (typeof input === "string" || (lastRefusal === undefined && refusedHandoffs.size === 0)) return input;
  if (lastRefusal !== undefined) {
    const isResult = (item: Item) =>
      item.type === "function_call_result" && item.name === lastRefusal.toolName;
    const callId = input.findLast(isResult)?.callId;
    if (callId !== undefined) refusedHandoffs.set(String(callId), lastRefusal.reason);
    scope.lastRefusal = undefined;
  }
  return input.map((item) => {
    const reason =
      item.type === "function_call_result" ? refusedHandoffs.get(String(item.callId)) : undefined;
    return reason === undefined ? item : { ...item, output: { type: "text", text: reason } };
  });
}
