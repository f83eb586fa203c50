import type { Context, Outcome, OutcomeOf } from "@tenterhook/engine";
import { messageOf, setField } from "@tenterhook/internal";
import { block, proceed, recover, TenterhookError, ToolFailure } from "@tenterhook/protocol";
import { type ContextByEvent, HookContext, StepHookContext, ToolHookContext } from "./contexts.ts";
import { AgentExecution, AgentState, ToolCall } from "./data.ts";
import type { EngineEvent, HookEvent } from "./hook-event.ts";
import { HookOutcome } from "./hook-outcome.ts";

/** What hooks on some events may return beside outcomes. */
interface ValueByEvent {
  /** A call with other arguments, or null, which blocks. */
  readonly PreToolUse: ToolCall | null;
  /** An execution with another result. */
  readonly PostToolUse: AgentExecution;
  readonly BeforeStep: AgentState;
  readonly AfterStep: AgentState;
}

/**
 * Everything that a hook on an event may return: an outcome of the builder, or of the engine if the event has more of them; its context,
 * or a changed copy of it, which proceeds with that; a value of the event; nothing, which proceeds.
 */
export type HookReturn<E extends HookEvent> =
  | HookOutcome
  | OutcomeOf<EngineEvent<E>>
  | ContextByEvent[E]
  | (E extends keyof ValueByEvent ? ValueByEvent[E] : never)
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes is written as a function without a return.
  | void;

/**
 * The outcome that a returned value stands for. `undefined` for what the builder does not know; throws `bad_outcome` for a value that
 * belongs to another event.
 */
export function readReturned(value: unknown, context: HookContext): HookOutcome | undefined {
  const event = context.eventType();
  if (value instanceof HookOutcome) return value;
  if (value === null && event === "PreToolUse")
    return HookOutcome.block("a hook blocked the call and gave no reason");
  if (value instanceof HookContext) {
    if (value.eventType() === event) return HookOutcome.proceed(value);
    throw misplaced(`a context of ${value.eventType()}`, event, value.eventType());
  }
  if (value instanceof ToolCall) {
    if (context instanceof ToolHookContext && context.isBeforeTool())
      return HookOutcome.proceed(context.withToolCall(value));
    throw misplaced("a ToolCall", event, "PreToolUse");
  }
  if (value instanceof AgentExecution) {
    if (context instanceof ToolHookContext && context.isAfterTool())
      return HookOutcome.proceed(context.withExecution(value));
    throw misplaced("an AgentExecution", event, "PostToolUse");
  }
  if (value instanceof AgentState) {
    if (context instanceof StepHookContext) return HookOutcome.proceed(context.withState(value));
    throw misplaced("an AgentState", event, "BeforeStep, AfterStep");
  }
  return undefined;
}

function misplaced(what: string, event: string, events: string): TenterhookError {
  return new TenterhookError("bad_outcome", `it returned ${what} at ${event}.`, {
    hint: `It is for ${events}; elsewhere return a HookOutcome.`,
  });
}

/** A returned value as an outcome of the engine, which accepts its own outcomes and rejects everything else. */
export function readOutcome(
  value: unknown,
  given: HookContext,
  ctx: Context<EngineEvent>,
): Outcome | undefined {
  const outcome = readReturned(value, given);
  if (outcome === undefined) return value as Outcome | undefined;
  const changed = outcome.context();
  return changed === undefined ? outcome.engineOutcome() : outcomeFor(changed, given, ctx);
}

/**
 * The engine's outcome for a changed copy of the context that a hook got: a patch, or, for a result that turned from failure
 * to success or back, `recover` or `block`. Changed metadata is written here. The engine checks which fields may change.
 */
export function outcomeFor(
  changed: HookContext,
  given: HookContext,
  ctx: Context<EngineEvent>,
): Outcome | undefined {
  if (changed === given) return undefined;
  if (changed.eventType() !== given.eventType()) {
    throw new TenterhookError("bad_outcome", `it proceeded with a context of ${changed.eventType()}.`, {
      hint: "Change the context that it got, with its with… methods.",
    });
  }
  const { messages, metadata } = changed.state().changesSince(given.state());
  const isTool = changed instanceof ToolHookContext && given instanceof ToolHookContext;
  const result = isTool ? changedResult(changed, given) : undefined;
  const patch = {
    ...(messages !== undefined && { messages }),
    ...(isTool && changedCall(changed, given)),
    ...(result?.type === "proceed" && result.patch),
    ...(metadata.size > 0 && writeMetadata(metadata, ctx)),
  };
  if (Object.keys(patch).length > 0) return proceed(patch);
  return result?.type === "proceed" ? undefined : result;
}

/** Writes to the run's metadata. If another hook has put in a state with its own metadata, that is patched too. */
function writeMetadata(changes: ReadonlyMap<string, unknown>, ctx: Context<EngineEvent>): object {
  // In the second judgement a hook changes nothing, and neither does an answer that comes after the timeout.
  if (ctx.judging || ctx.signal.aborted) return {};
  const { event, metadata, state } = ctx;
  for (const [key, value] of changes) setField(metadata, key, value);
  const isStep = event === "before_step" || event === "after_step";
  if (!isStep || state?.metadata === undefined || state.metadata === metadata) return {};
  return { state: { ...state, metadata: { ...state.metadata, ...Object.fromEntries(changes) } } };
}

function changedCall(changed: ToolHookContext, given: ToolHookContext): object {
  const [after, before] = [changed.toolCall(), given.toolCall()];
  if (after.name() !== before.name()) {
    throw new TenterhookError("patch_not_allowed", `it changed the tool's name to "${after.name()}".`, {
      hint: "A hook may change the arguments: toolCall().withArgs(args).",
    });
  }
  return after.args() === before.args() ? {} : { toolInput: after.args() };
}

function changedResult(changed: ToolHookContext, given: ToolHookContext): Outcome | undefined {
  const [after, before] = [changed.execution()?.result(), given.execution()?.result()];
  if (after === undefined || (after.value() === before?.value() && after.error() === before?.error()))
    return undefined;
  const error = after.error();
  if (error === undefined) {
    if (given.engineContext()?.event === "after_tool_failure") return recover(after.value());
    // The engine reads `undefined` as a field that did not change.
    return proceed({ toolResult: after.value() ?? null });
  }
  if (before?.isSuccess()) return block(messageOf(error));
  return proceed({ toolResult: new ToolFailure(messageOf(error), { cause: before?.error() }) });
}
