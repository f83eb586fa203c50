import { formatValue, isRecord } from "@tenterhook/internal";
import {
  block,
  type ErrorInfo,
  type Message,
  type Outcome,
  proceed,
  recover,
  skip,
  TenterhookError,
  ToolFailure,
} from "@tenterhook/protocol";
import type { ALIASES } from "@tenterhook/protocol/internal";
import type { Context } from "../../context/hook-context.ts";
import type {
  AfterToolHookResult,
  BeforeLLMHookResult,
  BeforeToolHookResult,
  ConfigHook,
  ErrorHookResult,
  HookContext,
  HookType,
  ToolExecutionResult,
} from "./types.ts";

type ConfigEvent = (typeof ALIASES)[HookType]["events"][number];

/** How one hook type shows the engine's context, and what its results mean to the engine. */
interface Translation<T extends HookType> {
  context(ctx: never): Omit<Parameters<ConfigHook<T>>[0], keyof HookContext>;
  /** Absent: the hook only observes, and its result is not read. */
  outcome?(result: never, ctx: never): Outcome | undefined;
  /** What a hook may return, as the hint of an error. */
  readonly returns: string;
  /** The field of the result with a tool's result. */
  readonly resultField?: string;
}

type Ended = Context<"after_tool"> | Context<"after_tool_failure">;

/** The hook types of the configuration object. */
export const HOOK_TYPES: { readonly [T in HookType]: Translation<T> } = {
  beforeIteration: {
    context: iteration,
    outcome: (result: { skip?: boolean }) => (result.skip ? skip() : undefined),
    returns: "Return { skip: true }, or nothing.",
  },
  afterIteration: {
    context: (ctx: Context<"after_step">) => ({
      ...iteration(ctx),
      toolCalls: (ctx.toolCalls ?? []).map(({ name, input, result }) => ({
        name,
        input,
        result: isResult(result) ? result : { success: true, result },
      })),
      completedWithText: ctx.completedWithText ?? false,
    }),
    returns: "Return nothing.",
  },
  beforeLLM: {
    context: llm,
    outcome: changedRequest,
    returns: "Return { messages, tools, systemPrompt }, each optional, or nothing.",
  },
  afterLLM: {
    context: (ctx: Context<"after_llm">) => ({
      ...llm(ctx),
      text: ctx.text,
      toolUses: [...ctx.toolUses],
      ...(ctx.usage !== undefined && { usage: ctx.usage }),
      ...(ctx.model !== undefined && { model: ctx.model }),
      durationMs: ctx.durationMs ?? 0,
    }),
    returns: "Return nothing.",
  },
  beforeTool: {
    context: tool,
    outcome: ({ skip: skips, result, input }: BeforeToolHookResult, { judging }: Context<"before_tool">) => {
      if (!skips) return input === undefined ? undefined : proceed({ toolInput: input });
      if (result === undefined || result.success) return skip(result?.result);
      const failure = failureFrom(result);
      // The second judgement skips nothing, but a hook that would make the call fail has refused it.
      return judging ? block(failure.message) : skip(failure);
    },
    returns: "Return { skip, result, input }, each optional, or nothing.",
    resultField: "result",
  },
  afterTool: {
    context: (ctx: Ended) => ({ ...tool(ctx), result: currentResult(ctx), durationMs: ctx.durationMs ?? 0 }),
    outcome: ({ result }: AfterToolHookResult, ctx: Ended) => {
      if (result === undefined || isSame(result, currentResult(ctx))) return undefined;
      // A failure that is returned as a success is recovered.
      if (result.success && ctx.event === "after_tool_failure") return recover(result.result);
      // The engine reads `undefined` as a field that did not change.
      if (result.success) return proceed({ toolResult: result.result ?? null });
      if (ctx.judging) return block(failureFrom(result).message);
      return proceed({ toolResult: failureFrom(result, ToolFailure.ofCall(ctx)) });
    },
    returns: "Return { result }, or nothing.",
    resultField: "result",
  },
  onError: {
    context: ({ error, phase, toolName }: Context<"on_error">) => ({
      error: error instanceof Error ? error : Object.assign(new Error(error.message), error),
      phase,
      ...(toolName !== undefined && { toolName }),
    }),
    // `recovery` takes precedence, then `handled`; only an error that remains can be replaced.
    outcome: ({ handled, error, recovery }: ErrorHookResult, ctx: Context<"on_error">) => {
      if (recovery?.success) return recover(recovery.result);
      // A failing one recovers nothing and becomes the error. Outside of tools, `handled` may still suppress it.
      if (recovery !== undefined && (ctx.phase === "tool" || !handled))
        return proceed({ error: failureFrom(recovery, ctx.error) });
      if (handled) return recover();
      return error === undefined ? undefined : proceed({ error });
    },
    returns: "Return { handled, error, recovery }, each optional, or nothing.",
    resultField: "recovery",
  },
};

/** Makes a handler of the engine that calls a config hook with its own context and reads its result. */
export function createHandler(type: HookType, name: string, hook: (context: never) => unknown) {
  const { context, outcome }: Translation<HookType> = HOOK_TYPES[type];
  return async (ctx: Context<ConfigEvent>): Promise<Outcome | undefined> => {
    const result = await hook(Object.assign(createContext(ctx), context(ctx as never)) as never);
    if (result === undefined) return undefined;
    checkResult(type, result, { hook: name, event: ctx.event });
    return outcome?.(result as never, ctx as never);
  };
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

/** Throws `bad_outcome`, with the hook's name and what it may return, for a result that this type does not have. */
function checkResult(
  type: HookType,
  result: unknown,
  where: { readonly hook: string; readonly event: ConfigEvent },
): void {
  const { outcome, returns, resultField: field } = HOOK_TYPES[type];
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

function iteration(ctx: Context<"before_step"> | Context<"after_step">) {
  return { maxIterations: ctx.maxIterations ?? Number.POSITIVE_INFINITY, messages: [...ctx.messages] };
}

function llm(ctx: Context<"before_llm"> | Context<"after_llm">) {
  return { messages: [...ctx.messages], tools: [...(ctx.tools ?? [])], systemPrompt: ctx.systemPrompt ?? "" };
}

function tool(ctx: Context<"before_tool"> | Ended) {
  return { toolName: ctx.toolName, input: { ...ctx.toolInput } };
}

/** A returned system prompt also becomes the first message, with or without returned messages. */
function changedRequest(
  { messages, tools, systemPrompt }: BeforeLLMHookResult,
  ctx: Context<"before_llm">,
): Outcome {
  const current = (messages ?? ctx.messages) as readonly Message[];
  const prompted = systemPrompt === undefined ? messages : withSystemPrompt(current, systemPrompt);
  return proceed({
    ...(prompted !== undefined && { messages: prompted }),
    ...(tools !== undefined && { tools }),
    ...(systemPrompt !== undefined && { systemPrompt }),
  });
}

function withSystemPrompt(messages: readonly Message[], content: string): Message[] {
  const [first, ...rest] = messages;
  if (first?.role === "system") return [{ ...first, content }, ...rest];
  return [{ role: "system", content }, ...messages];
}

/** The result as the hooks before this one left it. */
function currentResult(ctx: Ended): ToolExecutionResult {
  const error = ToolFailure.ofCall(ctx);
  if (error === undefined) return { success: true, result: ctx.toolResult };
  const result = ToolFailure.isInstance(error) ? error.result : undefined;
  return { success: false, error: error.message, ...(result !== undefined && { result }) };
}

/** A failing result as an error. `instead` is the error that it replaces. */
function failureFrom({ error, result }: ToolExecutionResult, instead?: ErrorInfo): ToolFailure {
  const message = error ?? (typeof result === "string" ? result : "the tool failed");
  return new ToolFailure(message, { result, shown: error ?? result ?? message, cause: instead });
}

/** Whether two results are the same, so that returning one changes nothing. */
function isSame(a: ToolExecutionResult, b: ToolExecutionResult): boolean {
  return a.success === b.success && a.error === b.error && Object.is(a.result, b.result);
}

function isResult(value: unknown): value is ToolExecutionResult {
  return typeof (value as Partial<ToolExecutionResult> | null | undefined)?.success === "boolean";
}
