import type { Context, Outcome } from "@tenterhook/engine";
import { messageOf } from "@tenterhook/internal";
import { block, proceed, recover, TenterhookError, ToolFailure } from "@tenterhook/protocol";
import { type HookContext, ToolHookContext } from "./contexts.ts";
import type { EngineEvent } from "./hook-event.ts";

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
  const patch: Record<string, unknown> = {
    ...(messages !== undefined && { messages }),
    ...(isTool && changedCall(changed, given)),
    ...(result?.type === "proceed" && result.patch),
    ...(metadata.size > 0 && write(metadata, ctx)),
  };
  if (Object.keys(patch).length > 0) return proceed(patch);
  return result?.type === "proceed" ? undefined : result;
}

/** Writes to the run's metadata. If another hook has put in a state with its own metadata, that is patched too. */
function write(changes: ReadonlyMap<string, unknown>, ctx: Context<EngineEvent>): object {
  // In the second judgement a hook changes nothing, and neither does an answer that comes after the timeout.
  if (ctx.judging || ctx.signal.aborted) return {};
  const { event, metadata, state } = ctx;
  for (const [key, value] of changes) {
    // A key named `__proto__` is a key like any other.
    Object.defineProperty(metadata, key, { value, writable: true, enumerable: true, configurable: true });
  }
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
  const [execution, before] = [changed.execution(), given.execution()?.result()];
  const after = execution?.result();
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
