import type { PreHook } from "@tenterhook/engine";
import { type OutcomeOf, proceed } from "@tenterhook/protocol";
import type { PostHookFunction } from "./hook.ts";
import type { HookContext } from "./hook-context.ts";

/** A part of a composed pre-hook. */
export interface PreHookPart {
  readonly execute: PreHook<HookContext>;
  /** Whether to be asked again about a message that a later part rewrote. Default true. */
  readonly rejudge?: boolean | undefined;
}

/**
 * Several pre-hooks as one: in order, until one refuses. Each sees what those before it made of the message, and those
 * that had passed before a change are asked once more about the message that is used, as the engine does with hooks.
 */
export function composedPreHook(parts: readonly PreHookPart[]): PreHook<HookContext> {
  return async (given) => {
    // The engine asks the whole once more: what the parts would change now is not done, so each is asked once.
    if (given.judging) return judgedAgain(parts, given);
    let context = given;
    let patch: object | undefined;
    let askedBeforeChange = 0;
    const added: string[] = [];
    for (const [index, { execute }] of parts.entries()) {
      const said = await execute(context);
      if (said === undefined) continue;
      // What is no outcome at all is handed on too: the engine tells whose mistake it is.
      if (said?.type !== "proceed") return said;
      if (said.context !== undefined) added.push(said.context);
      if (said.patch === undefined) continue;
      patch = { ...patch, ...said.patch };
      const { message = context.userMessage } = said.patch;
      if (message === context.userMessage) continue;
      context = { ...context, userMessage: message };
      askedBeforeChange = index;
    }
    if (askedBeforeChange === 0) return outcome(patch, added);
    const refusal = await judgedAgain(parts.slice(0, askedBeforeChange), { ...context, judging: true });
    return refusal ?? outcome(patch, added);
  };
}

/** The first part that refuses. */
async function judgedAgain(
  parts: readonly PreHookPart[],
  context: HookContext,
): Promise<OutcomeOf<"before_agent"> | undefined> {
  for (const { execute, rejudge = true } of parts) {
    if (!rejudge) continue;
    const said = await execute(context);
    if (said !== undefined && said?.type !== "proceed") return said;
  }
  return undefined;
}

/** Several post-hooks as one: in order, until one objects. */
export function composedPostHook(parts: readonly PostHookFunction[]): PostHookFunction {
  return async (context, run) => {
    for (const part of parts) {
      const said = await part(context, run);
      if (said !== undefined && said?.type !== "proceed") return said;
    }
    return undefined;
  };
}

function outcome(patch: object | undefined, added: readonly string[]): OutcomeOf<"before_agent"> | undefined {
  if (patch === undefined && added.length === 0) return undefined;
  // The engine checks the fields against the event's row.
  const changes = patch as { readonly message?: string } | undefined;
  if (added.length > 0) return proceed(changes, { context: added.join("\n") });
  return changes === undefined ? undefined : proceed(changes);
}
