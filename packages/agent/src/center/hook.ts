import type { NamedHook, PostHook, PreHook } from "@tenterhook/engine/named";
import type { AgentRun } from "./agent-run.ts";
import type { HookContext } from "./hook-context.ts";

/** How a hook is known. Plain data; `blocking` is true unless it says otherwise. */
export type Hook = NamedHook;

/** Runs before the agent. It may throw, rewrite the message with `proceed({ message })`, or refuse with `block(reason)`. */
export type PreHookFunction = PreHook<HookContext>;

/** Runs after the agent. What a blocking one throws reaches the caller, and the run is stored all the same. */
export type PostHookFunction = PostHook<HookContext, HookedRun>;

/** The run as post-hooks see it: the one that `runAgent` returns. What post-hooks do themselves is not yet in it. */
export type HookedRun = AgentRun<unknown>;

/** A hook's configuration and its function. */
export interface RegisteredPreHook {
  readonly config: Hook;
  readonly execute: PreHookFunction;
}

export interface RegisteredPostHook {
  readonly config: Hook;
  readonly execute: PostHookFunction;
}
