import type { HookedScopes } from "./scope.ts";
import type { Agent, Handoff, RunContext } from "./sdk.ts";

/** Contexts that hooks added cannot reach the model here, and the input of a handoff cannot be changed: it can be refused. */
export function hookHandoff(hooked: HookedScopes, handoff: Handoff, source: Agent): Handoff {
  return handoff.clone({
    onInvokeHandoff: async (context: RunContext, input: string) => {
      const scope = hooked.findForCall(context, "", source.name);
      const { agentName: subagentName, toolName } = handoff;
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
