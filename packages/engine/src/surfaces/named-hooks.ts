import { nearestWord, type OutcomeOf, type Payload, TenterhookError } from "@tenterhook/protocol";
import type { Hooks, Undo } from "../hooks.ts";
import { createHook, type MaybePromise } from "../register/hook.ts";
import type { Context } from "../run/hook-context.ts";
import { snapshot } from "../run/snapshot.ts";

/** How a named hook is known; serialisable, so that it can stand in configuration. */
export interface NamedHook {
  readonly name: string;
  /** Waited for, and able to refuse. Default true; false runs in the background. */
  readonly blocking?: boolean;
  /** Higher first; ties in the order of the agent's list. Default 0. */
  readonly priority?: number;
  /** Post-hooks only: on which ends of a run to act. Default `completed`. */
  readonly when?: "completed" | "failed" | "stopped" | "always";
  readonly timeoutMs?: number;
  /**
   * Pre-hooks only: whether to be asked again when a later one rewrites the message; the context then says `judging: true`,
   * and only a refusal counts. Default true.
   */
  readonly rejudge?: boolean;
}

type Status = Payload<"after_agent">["status"];

/** What named hooks are given. `metadata` passes data from pre-hooks to post-hooks of the same run. */
export interface NamedHookContext {
  readonly agent: Payload<"before_agent">["agent"];
  readonly session: Payload<"before_agent">["session"];
  readonly userMessage: string;
  readonly metadata: Record<string, unknown>;
  readonly signal: AbortSignal;
  /** True when this hook has judged already and is asked once more, because a later one rewrote the message. */
  readonly judging: boolean;
}

/** A finished run as post-hooks see it, where the host does not say more of it. */
export interface NamedRun {
  readonly id: string | undefined;
  readonly status: Status;
  /** Seconds. */
  readonly duration: number;
  readonly output: unknown;
  readonly error: Payload<"after_agent">["error"];
  readonly stepCount: number | undefined;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
type Nothing = undefined | void;

/** Runs before the agent. It may throw to refuse the turn, or return an outcome. */
export type PreHook<C = NamedHookContext> = (context: C) => MaybePromise<OutcomeOf<"before_agent"> | Nothing>;

/** Runs after the agent. What a blocking one throws reaches the caller. */
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
  readonly #pre = new Map<string, RegisteredNamedHook<PreHook<C>>>();
  readonly #post = new Map<string, RegisteredNamedHook<PostHook<C, R>>>();
  readonly #show: (context: NamedHookContext) => C;
  readonly #showRun: (ended: Context<"after_agent">) => R;

  /** `show` and `showRun` make what hooks are given of what the engine knows. Default: they are given just that. */
  // Without them context and run have their default types.
  constructor(
    show = (context: NamedHookContext) => context as C,
    showRun = (ended: Context<"after_agent">) => runOf(ended) as R,
  ) {
    this.#show = show;
    this.#showRun = showRun;
  }

  registerPreHook(config: NamedHook, execute: PreHook<C>): void {
    register(this.#pre, "pre-hook", config, execute);
  }

  registerPostHook(config: NamedHook, execute: PostHook<C, R>): void {
    register(this.#post, "post-hook", config, execute);
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

  /** Puts an agent's hooks into a set, in the order of its lists. An unknown name is an error, and then none is added. */
  attach(hooks: Hooks, { preHookNames = [], postHookNames = [] }: HookNames): Undo {
    const pre = preHookNames.map((name) => this.preHook(name) ?? missing("pre-hook", name, this.#pre));
    const post = postHookNames.map((name) => this.postHook(name) ?? missing("post-hook", name, this.#post));
    const undos = [
      ...pre.map(({ config, execute }) =>
        hooks.on(
          "before_agent",
          (ctx) => execute(this.#show(contextOf(ctx, ctx.message))),
          optionsOf(config),
        ),
      ),
      ...post.map(({ config, execute }) => {
        const wanted = config.when ?? "completed";
        const matcher = (ctx: { readonly status: Status }) => wanted === "always" || ctx.status === wanted;
        // What a host adds to a run is not in the frozen copy that hooks in the background have of the event.
        const given = (run: R) => (config.blocking ? run : snapshot(run));
        return hooks.on(
          "after_agent",
          (ctx) => execute(this.#show(contextOf(ctx, ctx.userMessage ?? "")), given(this.#showRun(ctx))),
          { ...optionsOf(config), ...(wanted !== "always" && { matcher }) },
        );
      }),
    ];
    return () => {
      for (const undo of undos) undo();
    };
  }
}

type Kind = "pre-hook" | "post-hook";

function register<F>(
  registry: Map<string, RegisteredNamedHook<F>>,
  kind: Kind,
  config: NamedHook,
  execute: F,
): void {
  if (typeof config?.name !== "string" || config.name === "") {
    throw new TenterhookError("bad_hook", `a ${kind} needs a name.`, {
      hint: "Agents list it by that name.",
    });
  }
  if (typeof execute !== "function") {
    throw new TenterhookError("bad_hook", `the ${kind} must be a function.`, { hook: config.name });
  }
  checkConfig(kind, config);
  if (registry.has(config.name)) {
    throw new TenterhookError("duplicate_hook", `there is a ${kind} of this name already.`, {
      hook: config.name,
    });
  }
  registry.set(
    config.name,
    Object.freeze({ config: Object.freeze({ ...config, blocking: config.blocking ?? true }), execute }),
  );
}

const WHENS = ["completed", "failed", "stopped", "always"];
const FIELDS = ["name", "blocking", "priority", "timeoutMs"];

/** A misspelt `blocking` or `when` would change in silence when a hook runs, or whether it ever does. */
function checkConfig(kind: Kind, config: NamedHook): void {
  const { name: hook, blocking, when } = config;
  const known = [...FIELDS, kind === "post-hook" ? "when" : "rejudge"];
  const unknown = Object.keys(config).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const meant = nearestWord(unknown, known);
    throw new TenterhookError("bad_hook", `a ${kind} has no field "${unknown}".`, {
      hook,
      hint: meant === undefined ? `Its fields are ${known.join(", ")}.` : `Did you mean "${meant}"?`,
    });
  }
  if (blocking !== undefined && typeof blocking !== "boolean") {
    throw new TenterhookError("bad_hook", "blocking must be true or false.", { hook });
  }
  if (when !== undefined && !WHENS.includes(when)) {
    throw new TenterhookError("bad_hook", `when must be one of ${WHENS.join(", ")}.`, { hook });
  }
  // The engine checks the rest when an agent first runs, which is late to hear of it.
  const event = kind === "pre-hook" ? "before_agent" : "after_agent";
  createHook(event, () => undefined, optionsOf(config), { id: hook, name: hook, place: 0 });
}

function missing(kind: string, name: string, registry: ReadonlyMap<string, unknown>): never {
  const known = [...registry.keys()];
  throw new TenterhookError("unknown_hook", `no ${kind} is registered under "${name}".`, {
    hint: known.length === 0 ? "None is registered at all." : `There are: ${known.join(", ")}.`,
  });
}

function optionsOf({ name, blocking, priority, timeoutMs, rejudge }: NamedHook) {
  return {
    name,
    source: "named",
    mode: blocking === false ? ("background" as const) : ("sync" as const),
    ...(priority !== undefined && { priority }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(rejudge !== undefined && { rejudge }),
  };
}

function contextOf(
  ctx: Context<"before_agent"> | Context<"after_agent">,
  userMessage: string,
): NamedHookContext {
  return {
    agent: ctx.agent as NamedHookContext["agent"],
    session: ctx.session as NamedHookContext["session"],
    userMessage,
    metadata: ctx.metadata,
    judging: ctx.judging,
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
