import { createHooks, Hooks } from "@tenterhook/engine";
import { block, TenterhookError } from "@tenterhook/protocol";
import { Agent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import {
  type BuilderHookOptions,
  engineOptions,
  type NamedCallback,
  readCallback,
} from "./callback-options.ts";
import type { AfterToolCallback, BeforeToolCallback, EventCallback, StepCallback } from "./callbacks.ts";
import type { ContextByEvent } from "./contexts/context-for.ts";
import type { Hook } from "./hook.ts";
import { HookEvent } from "./hook-event.ts";
import { bothOf } from "./matchers/read-matcher.ts";
import { whenThere } from "./maybe-promise.ts";
import { readHook } from "./register/read-hook.ts";
import { registerCallback } from "./register/register-callback.ts";
import { registerHook } from "./register/register-hook.ts";

type Callback<F> = F | NamedCallback<F>;

/**
 * Puts an agent together, call after call. The builder itself changes; every `build` gives an agent with hooks of its own, and
 * what is added to the builder or to another agent afterwards does not reach it.
 */
export class AgentBuilder {
  #options: Partial<AgentOptions> = {};
  readonly #registrations: ((hooks: Hooks) => void)[] = [];
  /** Takes every registration first, so that what is wrong with it is said where it is made, not by `build`. */
  readonly #draft = createHooks();

  static new(): AgentBuilder {
    return new AgentBuilder();
  }

  /** Sets any options of an agent; those that were set before are replaced. */
  with(options: Partial<AgentOptions>): this {
    this.#options = { ...this.#options, ...options };
    return this;
  }

  withName(name: string): this {
    return this.with({ name });
  }

  withDescription(description: string): this {
    return this.with({ description });
  }

  withInstructions(instructions: string): this {
    return this.with({ instructions });
  }

  /** A model, or the name of one of `withModels`. */
  withModel(model: AgentOptions["model"]): this {
    return this.with({ model });
  }

  /** Adds models by name. */
  withModels(models: NonNullable<AgentOptions["models"]>): this {
    return this.with({ models: { ...this.#options.models, ...models } });
  }

  /** Adds tools by name. */
  withTools(tools: NonNullable<AgentOptions["tools"]>): this {
    return this.with({ tools: { ...this.#options.tools, ...tools } });
  }

  /** Adds agents to delegate to. */
  withSubagents(...agents: readonly Agent[]): this {
    return this.with({ subagents: [...(this.#options.subagents ?? []), ...agents] });
  }

  withMaxSteps(maxSteps: number): this {
    return this.with({ maxSteps });
  }

  /** Before a tool runs: change its arguments, or block it. Null blocks too, here and nowhere else. */
  onBeforeToolUse(callback: Callback<BeforeToolCallback>, options: BuilderHookOptions = {}): this {
    const nullBlocks = (answer: unknown) =>
      answer === null ? block("a hook blocked the call and gave no reason") : answer;
    return this.#on(HookEvent.PreToolUse, callback, options, (ask, context) =>
      whenThere<unknown, unknown>(ask(context), nullBlocks),
    );
  }

  /** After a tool has succeeded, failed, or been blocked: change the result, or recover from the failure. */
  onAfterToolUse(callback: Callback<AfterToolCallback>, options: BuilderHookOptions = {}): this {
    return this.#on(HookEvent.PostToolUse, callback, options, (ask, context) => ask(context));
  }

  onBeforeStep(callback: Callback<StepCallback<"BeforeStep">>, options: BuilderHookOptions = {}): this {
    return this.#on(HookEvent.BeforeStep, callback, options, (ask, context) => ask(context.state()));
  }

  onAfterStep(callback: Callback<StepCallback<"AfterStep">>, options: BuilderHookOptions = {}): this {
    return this.#on(HookEvent.AfterStep, callback, options, (ask, context) => ask(context.state()));
  }

  onExecutionStart(
    callback: Callback<EventCallback<"ExecutionStart">>,
    options: BuilderHookOptions = {},
  ): this {
    return this.#on(HookEvent.ExecutionStart, callback, options, (ask, context) => ask(context));
  }

  /** Also after a run that failed or was stopped. */
  onExecutionEnd(callback: Callback<EventCallback<"ExecutionEnd">>, options: BuilderHookOptions = {}): this {
    return this.#on(HookEvent.ExecutionEnd, callback, options, (ask, context) => ask(context));
  }

  /** When the agent is about to stop: to block is to make it go on. */
  onStop(callback: Callback<EventCallback<"Stop">>, options: BuilderHookOptions = {}): this {
    return this.#on(HookEvent.Stop, callback, options, (ask, context) => ask(context));
  }

  onSubagentStop(callback: Callback<EventCallback<"SubagentStop">>, options: BuilderHookOptions = {}): this {
    return this.#on(HookEvent.SubagentStop, callback, options, (ask, context) => ask(context));
  }

  /** When an error was not recovered from. */
  onAgentFailed(callback: Callback<EventCallback<"AgentFailed">>, options: BuilderHookOptions = {}): this {
    return this.#on(HookEvent.AgentFailed, callback, options, (ask, context) => ask(context));
  }

  /** Registers a hook that wraps the ones behind it, on one event or several. */
  addHook<const E extends HookEvent>(
    event: E | readonly E[],
    hook: Hook<ContextByEvent[E]>,
    options: BuilderHookOptions = {},
  ): this {
    const events = [event].flat() as readonly E[];
    const { handle, name, matcher } = readHook(hook, events);
    const read = engineOptions(options, name);
    const given = { ...read, matcher: bothOf(matcher, read.matcher) };
    return this.#register((hooks) => registerHook(hooks, events, handle, given));
  }

  /** Makes the agent. Throws `bad_agent` when it lacks a model, or an option makes no sense. */
  build(): Agent {
    const { model, hooks } = this.#options;
    if (model === undefined) {
      throw new TenterhookError("bad_agent", "the agent has no model.", {
        hint: "Give it one by withModel.",
      });
    }
    const own = hooks instanceof Hooks ? createHooks({ inherits: hooks }) : hooks;
    const agent = new Agent({ ...this.#options, model, hooks: own });
    for (const register of this.#registrations) register(agent.hooks);
    return agent;
  }

  #on<E extends HookEvent, F extends (given: never) => unknown>(
    event: E,
    given: Callback<F>,
    options: BuilderHookOptions,
    call: (callback: F, context: ContextByEvent[E]) => unknown,
  ): this {
    const { callback, options: read } = readCallback(given, options);
    return this.#register((hooks) =>
      registerCallback(hooks, event, (context) => call(callback, context), read),
    );
  }

  #register(registration: (hooks: Hooks) => void): this {
    registration(this.#draft);
    this.#registrations.push(registration);
    return this;
  }
}
