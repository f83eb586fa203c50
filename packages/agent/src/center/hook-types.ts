import type { NamedHookConfig, PostHook, PreHook } from "@tenterhook/engine/named";
import type { AgentRun } from "./agent-run.ts";
import type { HookContext } from "./hook-context.ts";

/** The configuration of a hook. Plain data; `blocking` is true by default. */
export type Hook = NamedHookConfig;

/** Runs before the agent. It may throw, change the message with `proceed({ message })`, or refuse with `block(reason)`. */
export type PreHookFunction = PreHook<HookContext>;

/** Runs after the agent. Errors of a blocking one reach the caller; the run is stored in any case. */
export type PostHookFunction = PostHook<HookContext, HookedRun>;

/** The run as post-hooks see it: the one that `runAgent` returns, without the effects of the post-hooks themselves. */
export type HookedRun = AgentRun<unknown>;

/** A hook's configuration and its function. */
export interface RegisteredHook<F> {
  readonly config: Hook;
  readonly execute: F;
}

/** A hook before a run, as it is registered. */
export type RegisteredPreHook = RegisteredHook<PreHookFunction>;
/** A hook after a run, as it is registered. */
export type RegisteredPostHook = RegisteredHook<PostHookFunction>;
