import type { HookedScopes, Scope } from "./scope.ts";
import type { Agent, Handoff, Item, RunContext } from "./sdk.ts";

export function isHandoff(target: Agent | Handoff): target is Handoff {
  return "onInvokeHandoff" in target;
}

/** Contexts that hooks added cannot reach the model here, and the input of a handoff cannot be changed: it can be refused. */
export function hookHandoff(hooked: HookedScopes, handoff: Handoff, source: Agent): Handoff {
  return handoff.clone({
    onInvokeHandoff: async (context: RunContext, input: string) => {
      const scope = hooked.findForCall(context, "", source.name);
      const { agentName: subagentName, toolName } = handoff;
      // Not a delegation: no run of its own begins here, and so no `subagent_stop` follows.
      const before = await scope.run.fire("subagent_start", {
        subagentName,
        subagentType: "handoff",
        taskDescription: input,
      });
      if (before.action !== "refuse") return handoff.onInvokeHandoff(context, input);
      scope.lastRefusal = { toolName, reason: before.reason ?? "no reason given" };
      // The SDK has no other way to refuse: the agent hands over to itself.
      return source;
    },
  });
}

/**
 * A refused handoff returns to its own agent, and the SDK writes only that agent's name into the conversation. The model reads the
 * reason instead.
 */
export function showRefusedHandoffs(scope: Scope, input: string | readonly Item[]): string | readonly Item[] {
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
