import { createHooks, Hooks } from "@tenterhook/engine";
import { TenterhookError } from "@tenterhook/protocol";
import { Agent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import type {
  AfterToolCallback,
  BeforeToolCallback,
  BuilderHookOptions,
  CallbackArguments,
  EventCallback,
  HookArguments,
  NamedCallback,
  StepCallback,
} from "./arguments.ts";
import type { ContextByEvent } from "./contexts.ts";
import type { Hook } from "./hook.ts";
import { HookEvent } from "./hook-event.ts";
import type { MatcherOption, MatcherOptionFor } from "./matchers.ts";
import { callbackHook, hookObject, type Registration } from "./register.ts";

type Callback<F, M extends MatcherOption = MatcherOption> = F | NamedCallback<F, M>;

type WithoutTool = MatcherOptionFor<Exclude<HookEvent, "PreToolUse" | "PostToolUse">>;
type OnEvent<E extends HookEvent> = Callback<EventCallback<E>, WithoutTool>;
type OnStep<E extends "BeforeStep" | "AfterStep"> = Callback<StepCallback<E>, WithoutTool>;
type More = CallbackArguments<WithoutTool>;

/**
 * Builds an agent with chained calls. The builder itself is mutable; every `build` returns an agent with its own hooks, which
 * later changes to the builder or to another agent do not affect.
 */
export class AgentBuilder {
  #options: Partial<AgentOptions> = {};
  readonly #registrations: Registration[] = [];
  /** Gets every registration first, so that an invalid one is reported by the call that made it, not by `build`. */
  readonly #draft = createHooks();

  static new(): AgentBuilder {
    return new AgentBuilder();
  }

  /** Sets any options of an agent and replaces those that were set before. */
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

  /** How often stop hooks may make the agent continue in one run; `Infinity`: until `maxSteps`. Default 3. */
  withMaxHolds(maxHolds: number): this {
    return this.with({ maxHolds });
  }

  /** Before a tool runs: change its arguments, or block it. Null blocks too; for all other events it is an error. */
  onBeforeToolUse(callback: Callback<BeforeToolCallback>, ...more: CallbackArguments): this {
    return this.#register(callbackHook(HookEvent.PreToolUse, [callback, ...more]));
  }

  /** After a tool has succeeded, failed, or been blocked: change the result, or recover from the failure. */
  onAfterToolUse(callback: Callback<AfterToolCallback>, ...more: CallbackArguments): this {
    return this.#register(callbackHook(HookEvent.PostToolUse, [callback, ...more]));
  }

  onBeforeStep(callback: OnStep<"BeforeStep">, ...more: More): this {
    return this.#register(callbackHook(HookEvent.BeforeStep, [callback, ...more]));
  }

  onAfterStep(callback: OnStep<"AfterStep">, ...more: More): this {
    return this.#register(callbackHook(HookEvent.AfterStep, [callback, ...more]));
  }

  onExecutionStart(callback: OnEvent<"ExecutionStart">, ...more: More): this {
    return this.#register(callbackHook(HookEvent.ExecutionStart, [callback, ...more]));
  }

  /** Also after a run that failed or was stopped. */
  onExecutionEnd(callback: OnEvent<"ExecutionEnd">, ...more: More): this {
    return this.#register(callbackHook(HookEvent.ExecutionEnd, [callback, ...more]));
  }

  /** When the agent is about to stop: blocking makes it continue. */
  onStop(callback: OnEvent<"Stop">, ...more: More): this {
    return this.#register(callbackHook(HookEvent.Stop, [callback, ...more]));
  }

  onSubagentStop(callback: OnEvent<"SubagentStop">, ...more: More): this {
    return this.#register(callbackHook(HookEvent.SubagentStop, [callback, ...more]));
  }

  /** When no hook recovered from an error. */
  onAgentFailed(callback: OnEvent<"AgentFailed">, ...more: More): this {
    return this.#register(callbackHook(HookEvent.AgentFailed, [callback, ...more]));
  }

  /** Registers a hook that wraps the ones behind it, on one event or several. */
  addHook<const E extends HookEvent>(
    event: E | readonly E[],
    hook: Hook<ContextByEvent[E]>,
    options?: number | BuilderHookOptions<MatcherOptionFor<E>>,
  ): this;
  /** The same, with named arguments. */
  addHook<const E extends HookEvent>(named: HookArguments<E>): this;
  addHook(...given: readonly unknown[]): this {
    return this.#register(hookObject(given));
  }

  /** Makes the agent. Throws `bad_agent` if it has no model, or if an option is invalid. */
  build(): Agent {
    const { model, hooks } = this.#options;
    if (model === undefined) {
      throw new TenterhookError("bad_agent", "the agent has no model.", { hint: "Set one with withModel." });
    }
    const own = hooks instanceof Hooks ? createHooks({ inherits: hooks }) : hooks;
    const agent = new Agent({ ...this.#options, model, hooks: own });
    for (const register of this.#registrations) register(agent.hooks);
    return agent;
  }

  #register(registration: Registration): this {
    registration(this.#draft);
    this.#registrations.push(registration);
    return this;
  }
}
