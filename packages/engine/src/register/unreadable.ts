import type { CommandEffect } from "@tenterhook/commands";
import { readField } from "@tenterhook/internal";
import { ask, type EventName, eventRow, proceed } from "@tenterhook/protocol";
import type { EventContext } from "../context/hook-context.ts";

/** What has been asked about. A hook that is called after that knows that the answer was yes: else it would not be called. */
const asked = new WeakSet<CommandEffect>();

/**
 * What a rule answers where it matches only because a line cannot be read: a question, whatever it would answer else. All rules of a
 * dispatch ask one. Where a hook is not enforced, its question has no answer.
 */
export function askIfUnreadable<T>(context: EventContext<EventName>, outcome: T, isEnforced = true): unknown {
  const type = readField(outcome, "type");
  if (type !== "block" && type !== "ask") return outcome;
  const { match, event } = context;
  // A question that not everybody may answer stays as it is, and so does a refusal where nothing can be asked.
  if (match?.isUnreadable !== true || readField(outcome, "notBy") !== undefined) return outcome;
  if (!eventRow(event).outcomes.includes("ask")) return outcome;
  if (asked.has(match.effect)) return proceed();
  if (isEnforced) asked.add(match.effect);
  return ask(`What this call does is not known: it ${match.description}.`);
}
