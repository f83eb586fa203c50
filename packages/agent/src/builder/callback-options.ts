import type { HookOptions } from "@tenterhook/engine";
import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { engineMatcher, type MatcherOption } from "./matchers/read-matcher.ts";

/** How a hook is registered. `priority`: higher first, default 0, ties in order of registration. */
export interface BuilderHookOptions extends Omit<HookOptions, "matcher" | "source" | "place"> {
  /** Default: everything. Those that go by a tool's name are for tool hooks. */
  readonly matcher?: MatcherOption | null | undefined;
}

/** All in one object, for whoever likes arguments with names. */
export interface NamedCallback<F> extends BuilderHookOptions {
  readonly callback: F;
}

/** Reads both ways to hand over a callback. */
export function readCallback<F extends (...given: never[]) => unknown>(
  given: F | NamedCallback<F>,
  options: BuilderHookOptions,
): { readonly callback: F; readonly options: HookOptions } {
  const { callback, ...rest } = typeof given === "function" ? { ...options, callback: given } : { ...given };
  if (typeof callback !== "function") {
    throw new TenterhookError("bad_hook", `a callback must be a function, not ${messageOf(callback)}.`, {
      hint: "Give (callback, { priority, matcher }) or { callback, priority, matcher }.",
    });
  }
  return { callback, options: engineOptions(rest, callback.name) };
}

/** The engine's options. A function in a property is named after the property, which says nothing. */
export function engineOptions(
  { matcher, ...rest }: BuilderHookOptions,
  name: string | undefined,
): HookOptions {
  const known = name === "callback" ? undefined : name || undefined;
  return { ...rest, name: rest.name ?? known, matcher: engineMatcher(matcher), source: "builder" };
}
