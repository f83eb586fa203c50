import type { Outcome } from "@tenterhook/engine";
import type { MaybePromise } from "@tenterhook/engine/internal";
import { messageOf, whenReady } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { OUTCOME_TYPES } from "@tenterhook/protocol/internal";
import { HookContext, StepHookContext, ToolHookContext } from "./contexts.ts";
import { AgentExecution } from "./data/agent-execution.ts";
import { AgentState } from "./data/agent-state.ts";
import { ToolCall } from "./data/tool-call.ts";
import type { HookNext } from "./hook.ts";
import { HookOutcome } from "./hook-outcome.ts";

/**
 * The outcome that a returned value stands for: the context or a changed copy of it, a changed call, result or state, or null before a
 * tool, which blocks. `undefined` for what is not such a value; throws `bad_outcome` for one that belongs to another event.
 */
export function readValue(value: unknown, context: HookContext): HookOutcome | undefined {
  const event = context.eventType();
  const isBeforeTool = event === "PreToolUse";
  if (value === null && isBeforeTool) return HookOutcome.block("a hook blocked the call and gave no reason");
  if (value instanceof HookContext) {
    if (value.eventType() === event) return HookOutcome.proceed(value);
    throw misplaced(`a context of ${value.eventType()}`, event, value.eventType());
  }
  if (value instanceof ToolCall) {
    if (context instanceof ToolHookContext && isBeforeTool)
      return HookOutcome.proceed(context.withToolCall(value));
    throw misplaced("a ToolCall", event, "PreToolUse");
  }
  if (value instanceof AgentExecution) {
    if (context instanceof ToolHookContext && !isBeforeTool)
      return HookOutcome.proceed(context.withExecution(value));
    throw misplaced("an AgentExecution", event, "PostToolUse");
  }
  if (value instanceof AgentState) {
    if (context instanceof StepHookContext) return HookOutcome.proceed(context.withState(value));
    throw misplaced("an AgentState", event, "BeforeStep, AfterStep");
  }
  return undefined;
}

/** What a hook has done so far when it returns. */
export interface Returning {
  readonly context: HookContext;
  readonly next: HookNext;
  /** What `next` returned, if the hook called it. */
  readonly inner: MaybePromise<HookOutcome> | undefined;
}

/** The outcome of a hook in a stack, without an agent. A returned value goes to the hooks behind it, unless it was returned too late. */
export function readReturned(
  returned: unknown,
  { context, next, inner }: Returning,
): MaybePromise<HookOutcome> {
  if (returned instanceof HookOutcome) return returned;
  const outcome = readValue(returned, context);
  if (outcome === undefined) return readEngineOutcome(returned);
  if (!outcome.isProceed()) return outcome;
  if (inner === undefined) return next(outcome.context() ?? context);
  // What was refused further in stays refused.
  return whenReady(inner, (innerOutcome) => (innerOutcome.isProceed() ? outcome : innerOutcome));
}

function readEngineOutcome(returned: unknown): HookOutcome {
  const type = (returned as Outcome | null | undefined)?.type;
  if (type !== undefined && OUTCOME_TYPES.includes(type)) return HookOutcome.of(returned as Outcome);
  throw new TenterhookError("bad_outcome", `this is not an outcome: ${messageOf(returned)}.`, {
    hint: "Return a HookOutcome; null is for PreToolUse only.",
  });
}

function misplaced(what: string, event: string, events: string): TenterhookError {
  return new TenterhookError("bad_outcome", `it returned ${what} at ${event}.`, {
    hint: `It is for ${events}; elsewhere return a HookOutcome.`,
  });
}
