import { formatValue, isRecord, whenReady } from "@tenterhook/internal";
import { type Outcome, TenterhookError } from "@tenterhook/protocol";
import type { ALIASES } from "@tenterhook/protocol/internal";
import type { Context } from "../../context/hook-context.ts";
import type { MaybePromise } from "../../register/hook.ts";
import { ADAPTERS, type Adapter } from "./adapters.ts";
import { isResult } from "./tool-results.ts";
import type { ConfigHook, HookContext, HookType } from "./types.ts";

type ConfigEvent = (typeof ALIASES)[HookType]["events"][number];

/** Makes a handler of the engine that calls a config hook with its own context and reads its result. */
export function adapt<T extends HookType>(
  type: T,
  name: string,
  hook: ConfigHook<T>,
): (ctx: Context<ConfigEvent>) => MaybePromise<Outcome | undefined> {
  const adapter: Adapter<T> = ADAPTERS[type];
  const call = hook as (context: unknown) => unknown;
  const read = (result: unknown, ctx: Context<ConfigEvent>) => {
    if (result === undefined) return undefined;
    checkResult(type, result, { hook: name, event: ctx.event });
    return adapter.outcome?.(result as never, ctx as never);
  };
  return (ctx) => {
    const result = call(Object.assign(createContext(ctx), adapter.context(ctx as never)));
    return whenReady(result, (value) => read(value, ctx));
  };
}

/** Throws `bad_outcome`, with the hook's name and what it may return, for a result that this type does not have. */
function checkResult(
  type: HookType,
  result: unknown,
  where: { readonly hook: string; readonly event: ConfigEvent },
): void {
  const { outcome, returns, resultField: field } = ADAPTERS[type];
  // The result of an observer is not read, so any value but null does no harm.
  if (result === null || (outcome !== undefined && !isRecord(result))) {
    const problem = `it returned ${formatValue(result)}, which is not an answer to ${type}.`;
    throw new TenterhookError("bad_outcome", problem, { ...where, hint: returns });
  }
  const value = field && (result as Record<string, unknown>)[field];
  if (field === undefined || value === undefined || isResult(value)) return;
  const problem = `its ${field} is ${formatValue(value)}, which is not a tool result.`;
  const hint = `Return ${field} as { success: true, result } or { success: false, error }.`;
  throw new TenterhookError("bad_outcome", problem, { ...where, hint });
}

/** What the contexts of all types have. The signal is created when a hook reads it. */
function createContext(ctx: Context<ConfigEvent>): HookContext {
  return {
    sessionId: ctx.sessionId ?? "",
    iteration: ctx.iteration ?? 1,
    metadata: ctx.metadata,
    judging: ctx.judging,
    get signal() {
      return ctx.signal;
    },
  };
}
