import { type EventName, eventRow, type OutcomeType } from "@tenterhook/protocol";
import type { Dispatch } from "../run/dispatch-hooks.ts";

/** The effects that hooks may have: outcomes, a changed value, and context for the model. */
export type Effect = OutcomeType | "patch" | "context";

/** What a framework can carry of what hooks answer. */
export interface HostSupport {
  /** The framework's name: `LangChain`. */
  readonly name: string;
  /** The effects that reach the framework, for each event that it fires; `proceed` always does. */
  readonly events: {
    readonly [E in EventName]?: {
      readonly level: "full" | "partial" | "none";
      readonly effects: readonly Effect[];
    };
  };
}

/** The effects that hooks may have at an event. */
export function listEffects(event: EventName): readonly Effect[] {
  const { block, stop, changes, adds, outcomes } = eventRow(event);
  const effects: Effect[] = [];
  if (Object.keys(changes).length > 0) effects.push("patch");
  if (block.action !== "record") effects.push("block");
  if (stop === "stop") effects.push("stop");
  for (const outcome of ["skip", "ask", "recover"] as const)
    if (outcomes.includes(outcome)) effects.push(outcome);
  if (adds !== undefined) effects.push("context");
  return effects;
}

/** Those that a framework cannot carry at an event, although it fires it. */
export function listMissingEffects(support: HostSupport, event: EventName): readonly Effect[] {
  const row = support.events[event];
  if (row === undefined || row.level === "none") return [];
  return listEffects(event).filter((effect) => !row.effects.includes(effect));
}

/** An effect that a framework cannot carry, and the hook that gave it. */
export interface MissingEffect {
  /** In words: `skip`, `changed messages`. */
  readonly effect: string;
  readonly hook: string | undefined;
}

/** What hooks answered that a framework cannot carry; `undefined` if it carries all of it. */
export function findMissingEffect(
  support: HostSupport,
  dispatch: Dispatch<EventName>,
): MissingEffect | undefined {
  const { event, outcome, hook, context } = dispatch;
  const missing = listMissingEffects(support, event);
  if (missing.length === 0) return undefined;
  const { type } = outcome;
  if (missing.includes(type)) return { effect: type, hook };
  const { entries, original } = dispatch.trace;
  const payload = dispatch.payload as Readonly<Record<string, unknown>>;
  const isChanged = (field: string) => payload[field] !== (original as typeof payload)[field];
  // Of a changed state every adapter applies what it can: the metadata.
  const field = Object.keys(eventRow(event).changes).find((name) => name !== "state" && isChanged(name));
  if (missing.includes("patch") && field !== undefined) {
    const changer = entries.findLast(({ changes }) => changes?.some((change) => change.field === field));
    return { effect: `changed ${field}`, hook: changer?.hook };
  }
  if (!missing.includes("context") || context.length === 0) return undefined;
  return { effect: "context", hook: entries.find((entry) => entry.context !== undefined)?.hook };
}
