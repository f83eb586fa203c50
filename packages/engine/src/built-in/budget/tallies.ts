import type { EventName } from "@tenterhook/protocol";
import { EventContext } from "../../context/hook-context.ts";
import { Tally } from "./tally.ts";

/** What a budget is counted for. */
export type BudgetScope = "run" | "session" | "process";

type AnyContext = EventContext<EventName> & {
  readonly sessionId?: string | undefined;
  readonly session?: { readonly id: string } | undefined;
};

/** Sessions that never end must not accumulate: this many are kept, the least recently used are dropped. */
const MAX_SESSIONS = 10_000;

/** Finds the tally that an event counts towards. */
export interface Tallies {
  /** `undefined` when the event does not name its run or session. */
  for(context: AnyContext): Tally | undefined;
  forget(context: AnyContext): void;
}

export function talliesOf(scope: BudgetScope, now: () => number): Tallies {
  switch (scope) {
    case "run":
      return runTallies(now);
    case "session":
      return sessionTallies(now);
    case "process":
      return processTally(now);
  }
}

/** Kept by the run's metadata, so that a tally is freed with its run. */
function runTallies(now: () => number): Tallies {
  const tallies = new WeakMap<object, Tally>();
  return {
    for(context) {
      // A dispatch without the metadata of its run gets its own, by which every call would be the first.
      const metadata = EventContext.runContextOf(context).options?.metadata;
      if (metadata === undefined) return undefined;
      const known = tallies.get(metadata);
      if (known !== undefined) return known;
      const made = new Tally(now());
      tallies.set(metadata, made);
      return made;
    },
    forget() {},
  };
}

function sessionTallies(now: () => number): Tallies {
  const tallies = new Map<string, Tally>();
  const idOf = ({ sessionId, session }: AnyContext): string | undefined => sessionId ?? session?.id;
  return {
    for(context) {
      const id = idOf(context);
      if (id === undefined) return undefined;
      const tally = tallies.get(id) ?? new Tally(now());
      // Set anew each time: a Map keeps its order of insertion, so the first one is the longest unused.
      tallies.delete(id);
      tallies.set(id, tally);
      if (tallies.size > MAX_SESSIONS) tallies.delete(tallies.keys().next().value ?? id);
      return tally;
    },
    forget(context) {
      const id = idOf(context);
      if (id !== undefined) tallies.delete(id);
    },
  };
}

function processTally(now: () => number): Tallies {
  let tally: Tally | undefined;
  return {
    for() {
      tally ??= new Tally(now());
      return tally;
    },
    forget() {},
  };
}
