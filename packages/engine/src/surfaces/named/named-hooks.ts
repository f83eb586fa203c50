import { nearestWord, type OutcomeOf, type Payload, TenterhookError } from "@tenterhook/protocol";
import type { Hooks, Unregister } from "../../hooks.ts";
import { createHook, type MaybePromise } from "../../register/hook.ts";
import type { Context } from "../../run/hook-context.ts";
import { snapshot } from "../../run/snapshot.ts";

/** The configuration of a named hook; plain data, so that it can be stored. */
export interface NamedHook {
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
}

/** The context of a named hook. `metadata` passes data from pre-hooks to post-hooks of the same run. */
export interface NamedHookContext {
  readonly agent: Payload<"before_agent">["agent"];
  readonly session: Payload<"before_agent">["session"];
  readonly userMessage: string;
  readonly metadata: Record<string, unknown>;
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

export interface RegisteredNamedHook<F> {
  readonly config: Required<Pick<NamedHook, "name" | "blocking">> & NamedHook;
  readonly execute: F;
}

/** The names that an agent lists. */
export interface HookNames {
  readonly preHookNames?: readonly string[] | undefined;
  readonly postHookNames?: readonly string[] | undefined;
}

/** Hooks that are registered once by name and listed by agents. */
export class NamedHooks<C = NamedHookContext, R = NamedRun> {
  readonly #pre = new Registry<PreHook<C>>("pre-hook");
  readonly #post = new Registry<PostHook<C, R>>("post-hook");
  readonly #show: (context: NamedHookContext) => C;
  readonly #showRun: (ctx: Context<"after_agent">) => R;

  /** `show` and `showRun` convert what hooks get. Without them context and run have their default types. */
  constructor(
    show = (context: NamedHookContext) => context as C,
    showRun = (ctx: Context<"after_agent">) => runOf(ctx) as R,
  ) {
    this.#show = show;
    this.#showRun = showRun;
  }

  registerPreHook(config: NamedHook, execute: PreHook<C>): void {
    this.#pre.register(config, execute);
  }

  registerPostHook(config: NamedHook, execute: PostHook<C, R>): void {
    this.#post.register(config, execute);
  }

  preHook(name: string): RegisteredNamedHook<PreHook<C>> | undefined {
    return this.#pre.hooks.get(name);
  }

  postHook(name: string): RegisteredNamedHook<PostHook<C, R>> | undefined {
    return this.#post.hooks.get(name);
  }

  get preHookNames(): readonly string[] {
    return [...this.#pre.hooks.keys()];
  }

  get postHookNames(): readonly string[] {
    return [...this.#post.hooks.keys()];
  }

  /** Registers an agent's hooks in a set, in the order of its lists. An unknown name is an error, and then none is added. */
  attach(hooks: Hooks, { preHookNames = [], postHookNames = [] }: HookNames): Unregister {
    const pre = preHookNames.map((name) => this.#pre.find(name));
    const post = postHookNames.map((name) => this.#post.find(name));
    const unregister = [
      ...pre.map(({ config, execute }) =>
        hooks.on("before_agent", (ctx) => execute(this.#show(contextOf(ctx))), optionsOf(config)),
      ),
      ...post.map(({ config, execute }) => {
        const { when = "completed", blocking } = config;
        const matcher = ({ status }: Pick<NamedRun, "status">) => status === when;
        const handler = (ctx: Context<"after_agent">) => {
          const run = this.#showRun(ctx);
          // The engine's frozen copy of the event does not include what a host adds to the run.
          return execute(this.#show(contextOf(ctx)), blocking ? run : snapshot(run));
        };
        return hooks.on("after_agent", handler, {
          ...optionsOf(config),
          ...(when !== "always" && { matcher }),
        });
      }),
    ];
    return () => {
      for (const each of unregister) each();
    };
  }
}

const WHENS = ["completed", "failed", "stopped", "always"];

/** The pre-hooks, or the post-hooks, by name. */
class Registry<F> {
  readonly hooks = new Map<string, RegisteredNamedHook<F>>();
  readonly #kind: "pre-hook" | "post-hook";

  constructor(kind: "pre-hook" | "post-hook") {
    this.#kind = kind;
  }

  find(name: string): RegisteredNamedHook<F> {
    const hook = this.hooks.get(name);
    if (hook !== undefined) return hook;
    const known = [...this.hooks.keys()].join(", ");
    throw new TenterhookError("unknown_hook", `no ${this.#kind} is registered under "${name}".`, {
      hint: known === "" ? "None is registered at all." : `There are: ${known}.`,
    });
  }

  register(config: NamedHook, execute: F): void {
    const { name, blocking = true } = config ?? {};
    if (typeof name !== "string" || name === "") {
      throw new TenterhookError("bad_hook", `a ${this.#kind} needs a name.`, {
        hint: "Agents list it by that name.",
      });
    }
    if (typeof execute !== "function") {
      throw new TenterhookError("bad_hook", `the ${this.#kind} must be a function.`, { hook: name });
    }
    this.#check(config);
    if (this.hooks.has(name)) {
      throw new TenterhookError("duplicate_hook", `there is a ${this.#kind} of this name already.`, {
        hook: name,
      });
    }
    this.hooks.set(name, Object.freeze({ config: Object.freeze({ ...config, blocking }), execute }));
  }

  /** A misspelt `blocking` or `when` would silently change when a hook runs, or whether it ever does. */
  #check(config: NamedHook): void {
    const { name: hook, blocking, when } = config;
    const isPost = this.#kind === "post-hook";
    const known = ["name", "blocking", "priority", "timeoutMs", isPost ? "when" : "rejudge"];
    const unknown = Object.keys(config).find((key) => !known.includes(key));
    if (unknown !== undefined) {
      const nearest = nearestWord(unknown, known);
      throw new TenterhookError("bad_hook", `a ${this.#kind} has no field "${unknown}".`, {
        hook,
        hint: nearest === undefined ? `Its fields are ${known.join(", ")}.` : `Did you mean "${nearest}"?`,
      });
    }
    if (blocking !== undefined && typeof blocking !== "boolean") {
      throw new TenterhookError("bad_hook", "blocking must be true or false.", { hook });
    }
    if (when !== undefined && !WHENS.includes(when)) {
      throw new TenterhookError("bad_hook", `when must be one of ${WHENS.join(", ")}.`, { hook });
    }
    // The engine would check the other fields only when an agent first runs.
    const event = isPost ? "after_agent" : "before_agent";
    createHook(event, () => undefined, optionsOf(config), { id: hook, name: hook, position: 0 });
  }
}

function optionsOf({ name, blocking, priority, timeoutMs, rejudge }: NamedHook) {
  const mode = blocking === false ? ("background" as const) : ("sync" as const);
  return { name, source: "named", mode, priority, timeoutMs, rejudge };
}

function contextOf(ctx: Context<"before_agent"> | Context<"after_agent">): NamedHookContext {
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

function runOf({ status, run, error }: Context<"after_agent">): NamedRun {
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
