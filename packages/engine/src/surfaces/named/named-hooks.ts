import { snapshot } from "../../answer/snapshot.ts";
import type { Context } from "../../context/hook-context.ts";
import type { Hooks, Unregister } from "../../hooks.ts";
import { hookOptions, Registry } from "./registry.ts";
import type {
  HookNames,
  NamedHookConfig,
  NamedHookContext,
  NamedRun,
  PostHook,
  PreHook,
  RegisteredNamedHook,
  RegisterOptions,
} from "./types.ts";

/** Hooks that are registered once by name and listed by agents. */
export class NamedHooks<C = NamedHookContext, R = NamedRun> {
  readonly #pre = new Registry<PreHook<C>>("pre-hook");
  readonly #post = new Registry<PostHook<C, R>>("post-hook");
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
    this.#pre.register(config, execute, options);
  }

  registerPostHook(config: NamedHookConfig, execute: PostHook<C, R>, options?: RegisterOptions): void {
    this.#post.register(config, execute, options);
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

  /**
   * Registers an agent's hooks in a set, in the order of its lists. An unknown name is an error, and then none is added. A hook that is
   * replaced later stays in this set: unregister, and attach again.
   */
  attach(hooks: Hooks, { preHookNames = [], postHookNames = [] }: HookNames): Unregister {
    const pre = preHookNames.map((name) => this.#pre.find(name));
    const post = postHookNames.map((name) => this.#post.find(name));
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
