import {
  block,
  type EventName,
  type Message,
  type Outcome,
  proceed,
  recover,
  skip,
  ToolFailure,
} from "@tenterhook/protocol";
import { isThenable } from "@tenterhook/protocol/support";
import type { MaybePromise } from "../register/hook.ts";
import type { Context } from "../run/hook-context.ts";
import { checkAnswer } from "./config-answer.ts";
import type {
  AfterToolHookResult,
  BeforeLLMHookResult,
  BeforeToolHookResult,
  ConfigHook,
  ConfigHookContext,
  ErrorHookResult,
  HookType,
  ToolExecutionResult,
} from "./config-contexts.ts";
import { failed, failureFrom, isResult, resultOf, saysTheSame, succeeded } from "./config-results.ts";

/** How one hook type reads an event's context and how its results become outcomes. */
interface Adapter<T extends HookType> {
  readonly events: readonly EventName[];
  context(ctx: never): Parameters<ConfigHook<T>>[0];
  outcome(result: never, ctx: never): Outcome | undefined;
}

export const ADAPTERS: { readonly [T in HookType]: Adapter<T> } = {
  beforeIteration: {
    events: ["before_step"],
    context: (ctx: Context<"before_step">) => contextFor(ctx, iteration(ctx)),
    outcome: (result: { skip?: boolean }) => (result.skip ? skip() : undefined),
  },
  afterIteration: {
    events: ["after_step"],
    context: (ctx: Context<"after_step">) =>
      contextFor(ctx, {
        ...iteration(ctx),
        toolCalls: (ctx.toolCalls ?? []).map(({ name, input, result }) => ({
          name,
          input,
          result: isResult(result) ? result : succeeded(result),
        })),
        completedWithText: ctx.completedWithText ?? false,
      }),
    outcome: () => undefined,
  },
  beforeLLM: {
    events: ["before_llm"],
    context: (ctx: Context<"before_llm">) => contextFor(ctx, llm(ctx)),
    outcome: (result: BeforeLLMHookResult, ctx: Context<"before_llm">) => changedRequest(result, ctx),
  },
  afterLLM: {
    events: ["after_llm"],
    context: (ctx: Context<"after_llm">) =>
      contextFor(ctx, {
        ...llm(ctx),
        text: ctx.text,
        toolUses: [...ctx.toolUses],
        ...(ctx.usage !== undefined && { usage: ctx.usage }),
        ...(ctx.model !== undefined && { model: ctx.model }),
        durationMs: ctx.durationMs ?? 0,
      }),
    outcome: () => undefined,
  },
  beforeTool: {
    events: ["before_tool"],
    context: (ctx: Context<"before_tool">) => contextFor(ctx, tool(ctx)),
    outcome: ({ skip: skips, result, input }: BeforeToolHookResult, { judging }: Context<"before_tool">) => {
      if (!skips) return input === undefined ? undefined : proceed({ toolInput: input });
      if (result === undefined || result.success) return skip(result?.result);
      const failure = failureFrom(result);
      // A second judgement skips nothing, but a hook that would let the call fail has refused it.
      return judging ? block(failure.message) : skip(failure);
    },
  },
  afterTool: {
    events: ["after_tool", "after_tool_failure"],
    context: (ctx: Context<"after_tool"> | Context<"after_tool_failure">) =>
      contextFor(ctx, {
        ...tool(ctx),
        result: currentResult(ctx),
        durationMs: ctx.durationMs ?? 0,
      }),
    outcome: (
      { result }: AfterToolHookResult,
      ctx: Context<"after_tool"> | Context<"after_tool_failure">,
    ) => {
      if (result === undefined || saysTheSame(result, currentResult(ctx))) return undefined;
      // A failure that comes back as a success has been recovered from.
      if (result.success) {
        return ctx.event === "after_tool_failure"
          ? recover(result.result)
          : // The engine takes `undefined` for a field that was left alone.
            proceed({ toolResult: result.result ?? null });
      }
      if (ctx.judging) return block(failureFrom(result).message);
      return proceed({ toolResult: failureFrom(result, currentError(ctx)) });
    },
  },
  onError: {
    events: ["on_error"],
    context: (ctx: Context<"on_error">) =>
      contextFor(ctx, {
        error:
          ctx.error instanceof Error ? ctx.error : Object.assign(new Error(ctx.error.message), ctx.error),
        phase: ctx.phase,
        ...(ctx.toolName !== undefined && { toolName: ctx.toolName }),
      }),
    // A recovery says most, then that the error is handled; only an error that stands can be exchanged.
    outcome: ({ handled, error, recovery }: ErrorHookResult, ctx: Context<"on_error">) => {
      if (recovery?.success) return recover(recovery.result);
      // A failing one recovers nothing: it is the error from now on. Where no tool's result is waited for, it may be handled.
      if (recovery !== undefined && (ctx.phase === "tool" || !handled))
        return proceed({ error: failureFrom(recovery, ctx.error) });
      if (handled) return recover();
      return error === undefined ? undefined : proceed({ error });
    },
  },
};

/** Calls a config hook with its own kind of context and reads its result. */
export function adapt<T extends HookType>(
  type: T,
  name: string,
  hook: ConfigHook<T>,
): (ctx: never) => MaybePromise<Outcome | undefined> {
  const adapter: Adapter<T> = ADAPTERS[type];
  const call = hook as (context: unknown) => unknown;
  const read = (result: unknown, ctx: Context<EventName>) => {
    if (result === undefined) return undefined;
    checkAnswer(type, result, { hook: name, event: ctx.event });
    return adapter.outcome(result as never, ctx as never);
  };
  return (ctx) => {
    const result = call(adapter.context(ctx));
    // Any thenable: a promise of another library, or of another realm, is no answer yet either.
    return isThenable(result) ? Promise.resolve(result).then((value) => read(value, ctx)) : read(result, ctx);
  };
}

type AnyContext = Context<
  | "before_step"
  | "after_step"
  | "before_llm"
  | "after_llm"
  | "before_tool"
  | "after_tool"
  | "after_tool_failure"
  | "on_error"
>;

/** What every context of this surface has. The signal is only made when a hook asks for it. */
class Base implements ConfigHookContext {
  readonly sessionId: string;
  readonly iteration: number;
  readonly metadata: Record<string, unknown>;
  readonly #ctx: AnyContext;

  constructor(ctx: AnyContext) {
    this.sessionId = ctx.sessionId ?? "";
    this.iteration = ctx.iteration ?? 1;
    this.metadata = ctx.metadata;
    this.#ctx = ctx;
  }

  get signal(): AbortSignal {
    return this.#ctx.signal;
  }

  get judging(): boolean {
    return this.#ctx.judging;
  }
}

function contextFor<F extends object>(ctx: AnyContext, fields: F): ConfigHookContext & F {
  return Object.assign(new Base(ctx), fields);
}

function iteration(ctx: Context<"before_step"> | Context<"after_step">) {
  return { maxIterations: ctx.maxIterations ?? Number.POSITIVE_INFINITY, messages: [...ctx.messages] };
}

function llm(ctx: Context<"before_llm"> | Context<"after_llm">) {
  return { messages: [...ctx.messages], tools: [...(ctx.tools ?? [])], systemPrompt: ctx.systemPrompt ?? "" };
}

function tool(ctx: Context<"before_tool"> | Context<"after_tool"> | Context<"after_tool_failure">) {
  return { toolName: ctx.toolName, input: { ...ctx.toolInput } };
}

/** A returned system prompt also becomes the first message, whether or not messages were returned with it. */
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

type Ended = Context<"after_tool"> | Context<"after_tool_failure">;

/** The result as the hooks before this one left it. */
function currentResult(ctx: Ended): ToolExecutionResult {
  return ctx.event === "after_tool"
    ? resultOf(ctx.toolResult)
    : failed(ToolFailure.of(ctx.toolResult, ctx.error));
}

function currentError(ctx: Ended) {
  if (ctx.event === "after_tool") return ToolFailure.isInstance(ctx.toolResult) ? ctx.toolResult : undefined;
  return ToolFailure.of(ctx.toolResult, ctx.error);
}
