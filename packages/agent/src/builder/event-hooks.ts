import { CallableHook } from "./callable-hook.ts";
import type { HookEvent } from "./hook-event.ts";
import type { ContextByEvent } from "./make-context.ts";

/** A callable hook for one event. Registering it on another one is an error, and in a stack it ignores other contexts. */
function callableHookFor<H extends HookEvent>(event: H) {
  return class extends CallableHook<ContextByEvent[H], H> {
    override readonly events: readonly HookEvent[] = [event];
  };
}

/** A hook before a tool runs. */
export class BeforeToolHook extends callableHookFor("PreToolUse") {}
/** A hook after a tool has run. */
export class AfterToolHook extends callableHookFor("PostToolUse") {}
/** A hook before a step. */
export class BeforeStepHook extends callableHookFor("BeforeStep") {}
/** A hook after a step. */
export class AfterStepHook extends callableHookFor("AfterStep") {}
/** A hook at the start of an execution. */
export class ExecutionStartHook extends callableHookFor("ExecutionStart") {}
/** A hook at the end of an execution. */
export class ExecutionEndHook extends callableHookFor("ExecutionEnd") {}
/** A hook that may keep the agent running when it is about to stop. */
export class StopHook extends callableHookFor("Stop") {}
/** The same for a subagent. */
export class SubagentStopHook extends callableHookFor("SubagentStop") {}
/** A hook that is given an error which ends the execution. */
export class AgentFailedHook extends callableHookFor("AgentFailed") {}
