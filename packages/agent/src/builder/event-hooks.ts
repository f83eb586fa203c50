import { CallableHook } from "./callable-hook.ts";
import type { HookEvent } from "./hook-event.ts";
import type { ContextByEvent } from "./make-context.ts";

/** A callable hook for one event. Registering it on another one is an error, and in a stack it ignores other contexts. */
function callableHookFor<H extends HookEvent>(event: H) {
  return class extends CallableHook<ContextByEvent[H], H> {
    override readonly events: readonly HookEvent[] = [event];
  };
}

export class BeforeToolHook extends callableHookFor("PreToolUse") {}
export class AfterToolHook extends callableHookFor("PostToolUse") {}
export class BeforeStepHook extends callableHookFor("BeforeStep") {}
export class AfterStepHook extends callableHookFor("AfterStep") {}
export class ExecutionStartHook extends callableHookFor("ExecutionStart") {}
export class ExecutionEndHook extends callableHookFor("ExecutionEnd") {}
export class StopHook extends callableHookFor("Stop") {}
export class SubagentStopHook extends callableHookFor("SubagentStop") {}
export class AgentFailedHook extends callableHookFor("AgentFailed") {}
