import type { Context, Outcome } from "@tenterhook/engine";
import { block, messageOf, proceed, recover, TenterhookError, ToolFailure } from "@tenterhook/protocol";
import type { HookContext } from "../contexts/hook-context.ts";
import { ToolHookContext } from "../contexts/tool-hook-context.ts";
import type { EngineEvent } from "../hook-event.ts";

/**
 * What it takes for the engine to go on with a changed copy of the context that a hook was given: a patch, or for a result
 * that turned from failure to success, or back, the outcome that does so. Writes to the run's bag are done here. Whether the
 * event lets something change is the engine's to say.
 */
export function outcomeFor(
  changed: HookContext,
  given: HookContext,
  ctx: Context<EngineEvent>,
): Outcome | undefined {
  if (changed === given) return undefined;
  if (changed.eventType() !== given.eventType()) {
    throw new TenterhookError("bad_outcome", `it proceeded with a context of ${changed.eventType()}.`, {
      hint: "Change the context that it was given, by its with… methods.",
    });
  }
  const { messages, metadata } = changed.state().changesSince(given.state());
  const { call, result } = toolChanges(changed, given);
  const patch: Record<string, unknown> = {
    ...(messages !== undefined && { messages }),
    ...call,
    ...(result?.type === "proceed" && result.patch),
    ...(metadata.size > 0 && written(metadata, ctx)),
  };
  if (Object.keys(patch).length > 0) return proceed(patch);
  return result?.type === "proceed" ? undefined : result;
}

/** Writes to the run's bag. Where another hook has put a state with a bag of its own in place, that one is changed too. */
function written(changes: ReadonlyMap<string, unknown>, ctx: Context<EngineEvent>) {
  // Asked a second time a hook only judges, and what comes after its time was up counts for nothing.
  if (ctx.judging || ctx.signal.aborted) return {};
  const { event, metadata, state } = ctx;
  for (const [key, value] of changes) {
    // Also a key named `__proto__` is only a key.
    Object.defineProperty(metadata, key, { value, writable: true, enumerable: true, configurable: true });
  }
  const isStep = event === "before_step" || event === "after_step";
  if (!isStep || state?.metadata === undefined || state.metadata === metadata) return {};
  return { state: { ...state, metadata: { ...state.metadata, ...Object.fromEntries(changes) } } };
}

function toolChanges(changed: HookContext, given: HookContext) {
  if (!(changed instanceof ToolHookContext && given instanceof ToolHookContext)) return {};
  return { call: changedCall(changed, given), result: changedResult(changed, given) };
}

function changedCall(changed: ToolHookContext, given: ToolHookContext) {
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
  if (after === undefined || after === before) return undefined;
  const error = after.error();
  if (error === undefined) {
    if (given.engineContext()?.event === "after_tool_failure") return recover(after.value());
    // The engine takes `undefined` for a field that was left alone.
    return proceed({ toolResult: after.value() ?? null });
  }
  if (before?.isSuccess()) return block(messageOf(error));
  return proceed({ toolResult: new ToolFailure(messageOf(error), { cause: before?.error() }) });
}
