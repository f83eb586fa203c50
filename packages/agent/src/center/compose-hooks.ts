import type { PostHook, PreHook } from "@tenterhook/engine";
import { type OutcomeOf, proceed } from "@tenterhook/protocol";
import type { HookContext } from "./hook-context.ts";

/**
 * Several pre-hooks as one: in order, until one refuses. Each sees what those before it made of the message, and those
 * that had passed before a change are asked once more about the message that is used, as the engine does with hooks.
 */
export function composedPreHook(parts: readonly PreHook<HookContext>[]): PreHook<HookContext> {
  return async (given) => {
    let context = given;
    let patch: object | undefined;
    let askedBeforeChange = 0;
    const added: string[] = [];
    for (const [index, part] of parts.entries()) {
      const said = await part(context);
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
    for (const part of parts.slice(0, askedBeforeChange)) {
      const said = await part(context);
      if (said !== undefined && said.type !== "proceed") return said;
    }
    return outcome(patch, added);
  };
}

/** Several post-hooks as one: in order, until one objects. */
export function composedPostHook(parts: readonly PostHook<HookContext>[]): PostHook<HookContext> {
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
