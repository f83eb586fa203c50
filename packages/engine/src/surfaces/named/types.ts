import type { OutcomeOf, Payload } from "@tenterhook/protocol";
import type { MaybePromise } from "../../register/hook.ts";

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
