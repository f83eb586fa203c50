// Pre- and post-hooks that are registered by name and listed by agents.
import { didYouMean } from "@tenterhook/internal";
import { type OutcomeOf, type Payload, TenterhookError } from "@tenterhook/protocol";
import { snapshot } from "../../answer/snapshot.ts";
import type { Context } from "../../context/hook-context.ts";
import type { Hooks, Unregister } from "../../hooks.ts";
import { checkKnownOptions, createHook, type MaybePromise } from "../../register/hook.ts";

/** The configuration of a named hook; plain data, so that it can be stored. */
export interface NamedHookConfig {
  readonly name: string;
  /** The run waits for it, and it can refuse. Default true; false runs in the background. */
  readonly blocking?: boolean;
  /** Higher first; ties in the order of the agent's list. Default 0. */
  readonly priority?: number;
  /** Post-hooks only: after which runs to act. Default `completed`. */
  readonly when?: "completed" | "failed" | "stopped" | "always";
  readonly timeoutMs?: number;
  /**
   * Pre-hooks only: whether it takes part in the second judgement, when a later one changed the message; the context then has
   * `judging: true`, and only a refusal counts. Default true.
   */
  readonly rejudge?: boolean;
  /** False: it is called and what it would have done is recorded, and nothing else follows from it. Default true. */
  readonly enforce?: boolean;
}

/** How a named hook is registered. */
export interface RegisterOptions {
  /** True: takes the place of the hook of this name, if there is one. Default false: a second hook of a name is an error. */
  readonly replace?: boolean | undefined;
}

/** The context of a named hook. */
export interface NamedHookContext {
  readonly agent: Payload<"before_agent">["agent"];
  readonly session: Payload<"before_agent">["session"];
  /** The user's message, as the pre-hooks before this one changed it. */
  readonly userMessage: string;
  /** Shared by all hooks of a run. Hooks that do not block get a frozen copy. */
  readonly metadata: Record<string, unknown>;
  /** Aborted when the hook times out, or the run is cancelled before the hooks of this event have ended. */
  readonly signal: AbortSignal;
  /** True in the second judgement: a later hook changed the message after this one had passed it. */
  readonly judging: boolean;
}

/** A finished run as post-hooks see it, unless the host shows more of it. */
export interface NamedRun {
  readonly id: string | undefined;
  readonly status: Payload<"after_agent">["status"];
  /** Seconds. */
  readonly duration: number;
  readonly output: unknown;
  readonly error: Payload<"after_agent">["error"];
  readonly stepCount: number | undefined;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes returns nothing.
type Nothing = undefined | void;

/** Runs before the agent. It may throw to refuse the turn, or return an outcome. */
export type PreHook<C = NamedHookContext> = (context: C) => MaybePromise<OutcomeOf<"before_agent"> | Nothing>;

/** Runs after the agent. Errors of a blocking one reach the caller. */
export type PostHook<C = NamedHookContext, R = NamedRun> = (
  context: C,
  run: R,
) => MaybePromise<OutcomeOf<"after_agent"> | Nothing>;

/** A named hook, as it is registered. */
export interface RegisteredNamedHook<F> {
  readonly config: Required<Pick<NamedHookConfig, "name" | "blocking">> & NamedHookConfig;
  readonly execute: F;
}

/** The names that an agent lists. */
export interface HookNames {
  readonly preHookNames?: readonly string[] | undefined;
  readonly postHookNames?: readonly string[] | undefined;
}

type Kind = "pre-hook" | "post-hook";
type ByName<F> = Map<string, RegisteredNamedHook<F>>;

/** Hooks that are registered once by name and listed by agents. */
export class NamedHooks<C = NamedHookContext, R = NamedRun> {
  readonly #pre: ByName<PreHook<C>> = new Map();
  readonly #post: ByName<PostHook<C, R>> = new Map();
  readonly #show: (context: NamedHookContext) => C;
  readonly #showRun: (ctx: Context<"after_agent">) => R;

  /** `show` and `showRun` convert what hooks get; the context is made for each call and may be changed. Default: as it is. */
  constructor(
    show = (context: NamedHookContext) => context as C,
    showRun = (ctx: Context<"after_agent">) => createRun(ctx) as R,
  ) {
    this.#show = show;
    this.#showRun = showRun;
  }

  registerPreHook(config: NamedHookConfig, execute: PreHook<C>, options?: RegisterOptions): void {
    register("pre-hook", this.#pre, config, execute, options);
  }

  registerPostHook(config: NamedHookConfig, execute: PostHook<C, R>, options?: RegisterOptions): void {
    register("post-hook", this.#post, config, execute, options);
  }

  preHook(name: string): RegisteredNamedHook<PreHook<C>> | undefined {
    return this.#pre.get(name);
  }

  postHook(name: string): RegisteredNamedHook<PostHook<C, R>> | undefined {
    return this.#post.get(name);
  }

  get preHookNames(): readonly string[] {
    return [...this.#pre.keys()];
  }

  get postHookNames(): readonly string[] {
    return [...this.#post.keys()];
  }

  /**
   * Registers an agent's hooks in a set, in the order of its lists. An unknown name is an error, and then none is added. A hook that is
   * replaced later stays in this set: unregister, and attach again.
   */
  attach(hooks: Hooks, { preHookNames = [], postHookNames = [] }: HookNames): Unregister {
    const pre = preHookNames.map((name) => find("pre-hook", this.#pre, name));
    const post = postHookNames.map((name) => find("post-hook", this.#post, name));
    const unregister = [
      ...pre.map(({ config, execute }) =>
        hooks.on("before_agent", (ctx) => execute(this.#show(createContext(ctx))), hookOptions(config)),
      ),
      ...post.map(({ config, execute }) => {
        const { when = "completed", blocking } = config;
        const matcher = ({ status }: Pick<NamedRun, "status">) => status === when;
        const handler = (ctx: Context<"after_agent">) => {
          const run = this.#showRun(ctx);
          // The engine's frozen copy of the event does not include what a host adds to the run.
          return execute(this.#show(createContext(ctx)), blocking ? run : snapshot(run));
        };
        return hooks.on("after_agent", handler, {
          ...hookOptions(config),
          ...(when !== "always" && { matcher }),
        });
      }),
    ];
    return () => {
      for (const each of unregister) each();
    };
  }
}

function createContext(ctx: Context<"before_agent"> | Context<"after_agent">): NamedHookContext {
  return {
    agent: ctx.agent as NamedHookContext["agent"],
    session: ctx.session as NamedHookContext["session"],
    userMessage: ctx.event === "before_agent" ? ctx.message : (ctx.userMessage ?? ""),
    metadata: ctx.metadata,
    judging: ctx.judging,
    // A getter, because creating the signal has a cost.
    get signal() {
      return ctx.signal;
    },
  };
}

function createRun({ status, run, error }: Context<"after_agent">): NamedRun {
  return {
    id: run?.id,
    status,
    duration: (run?.durationMs ?? 0) / 1000,
    output: run?.output,
    error,
    stepCount: run?.stepCount,
    usage: run?.usage,
  };
}

function find<F>(kind: Kind, hooks: ByName<F>, name: string): RegisteredNamedHook<F> {
  const hook = hooks.get(name);
  if (hook !== undefined) return hook;
  const known = [...hooks.keys()].join(", ");
  throw new TenterhookError("unknown_hook", `no ${kind} is registered under "${name}".`, {
    hint: known === "" ? "None is registered at all." : `There are: ${known}.`,
  });
}

function register<F>(
  kind: Kind,
  hooks: ByName<F>,
  config: NamedHookConfig,
  execute: F,
  options: RegisterOptions = {},
): void {
  const { name, blocking = true } = config ?? {};
  if (typeof name !== "string" || name === "") {
    const hint = "Agents list it by that name.";
    throw new TenterhookError("bad_hook", `a ${kind} needs a name.`, { hint });
  }
  const wrong = (problem: string, hint?: string) =>
    new TenterhookError("bad_hook", problem, { hook: name, hint });
  if (typeof execute !== "function") throw wrong(`the ${kind} must be a function.`);
  const isPost = kind === "post-hook";
  // A misspelt `blocking` or `when` would silently change when a hook runs, or whether it ever does.
  const fields = ["name", "blocking", "priority", "timeoutMs", "enforce", isPost ? "when" : "rejudge"];
  const unknown = Object.keys(config).find((key) => !fields.includes(key));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, fields, `Its fields are ${fields.join(", ")}.`);
    throw wrong(`a ${kind} has no field "${unknown}".`, hint);
  }
  if (typeof blocking !== "boolean") throw wrong("blocking must be true or false.");
  const { when } = config;
  if (when !== undefined && !WHENS.includes(when)) throw wrong(`when must be one of ${WHENS.join(", ")}.`);
  // The engine would check the other fields only when an agent first runs.
  const event = isPost ? "after_agent" : "before_agent";
  createHook(event, () => undefined, hookOptions(config), { id: name, name, position: 0 });
  checkKnownOptions(options, ["replace"], { hook: name });
  const { replace = false } = options;
  if (typeof replace !== "boolean") throw wrong("replace must be true or false.");
  if (hooks.has(name) && !replace) {
    throw new TenterhookError("duplicate_hook", `there is a ${kind} of this name already.`, {
      hook: name,
      hint: "Register it with replace: true if it is to take the place of the other one.",
    });
  }
  hooks.set(name, Object.freeze({ config: Object.freeze({ ...config, blocking }), execute }));
}

const WHENS = ["completed", "failed", "stopped", "always"];

/** The options of the engine for a named hook. */
function hookOptions({ name, blocking, priority, timeoutMs, rejudge, enforce }: NamedHookConfig) {
  const mode = blocking === false ? ("background" as const) : ("sync" as const);
  return { name, source: "named", mode, priority, timeoutMs, rejudge, enforce };
}
