import { type EventName, type Message, type Outcome, proceed, recover, skip } from "@tenterhook/protocol";
import type { MaybePromise } from "../register/hook.ts";
import type { Context } from "../run/hook-context.ts";
import {
  type AfterToolHookResult,
  type BeforeLLMHookResult,
  type BeforeToolHookResult,
  type ConfigHook,
  type ConfigHookContext,
  type ErrorHookResult,
  failed,
  type HookType,
  plainValue,
  succeeded,
  type ToolExecutionResult,
} from "./config-contexts.ts";

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
    outcome: ({ skip: skips, result, input }: BeforeToolHookResult) => {
      if (skips) return skip(result === undefined ? undefined : plainValue(result));
      return input === undefined ? undefined : proceed({ toolInput: input });
    },
  },
  afterTool: {
    events: ["after_tool", "after_tool_failure"],
    context: (ctx: Context<"after_tool"> | Context<"after_tool_failure">) =>
      contextFor(ctx, {
        ...tool(ctx),
        result: ctx.event === "after_tool" ? succeeded(ctx.toolResult) : failed(ctx.error),
        durationMs: ctx.durationMs ?? 0,
      }),
    outcome: (
      { result }: AfterToolHookResult,
      ctx: Context<"after_tool"> | Context<"after_tool_failure">,
    ) => {
      if (result === undefined) return undefined;
      // A failure that comes back as a success has been recovered from.
      if (ctx.event === "after_tool_failure" && result.success) return recover(plainValue(result));
      return proceed({ toolResult: plainValue(result) });
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
    outcome: ({ handled, error, recovery }: ErrorHookResult) => {
      if (recovery !== undefined) return recover(plainValue(recovery));
      if (handled) return recover();
      return error === undefined ? undefined : proceed({ error });
    },
  },
};

/** Calls a config hook with its own kind of context and reads its result. */
export function adapt<T extends HookType>(
  type: T,
  hook: ConfigHook<T>,
): (ctx: never) => MaybePromise<Outcome | undefined> {
  const adapter: Adapter<T> = ADAPTERS[type];
  const call = hook as (context: unknown) => unknown;
  const read = (result: unknown, ctx: never) =>
    result === undefined ? undefined : adapter.outcome(result as never, ctx);
  return (ctx) => {
    const result = call(adapter.context(ctx));
    return result instanceof Promise ? result.then((value) => read(value, ctx)) : read(result, ctx);
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

function isResult(value: unknown): value is ToolExecutionResult {
  return (
    typeof value === "object" && value !== null && typeof (value as ToolExecutionResult).success === "boolean"
  );
}
