import type { EventName } from "@tenterhook/protocol";
import type { PatternBudget } from "./pattern-budget.ts";
import type { MatchSubject } from "./subject.ts";

/** `unknown` means that matching was too costly to finish: the hook runs, and decides itself. */
export type Match = "yes" | "no" | "unknown";

/**
 * Says whether a hook is asked about an action. Matchers compose, print themselves in words, and say early what can
 * be known from the event and the tool's name alone, so that most of the work is done once per tool.
 */
export interface Matcher {
  readonly description: string;
  /** Needs a tool: registering it on an event without one is an error. */
  readonly needsTool: boolean;
  /** Decides from the event and the tool's name; `unknown` when it takes the input or the context to tell. */
  plan(event: EventName, toolName: string | undefined, budget: PatternBudget): Match;
  match(subject: MatchSubject, budget: PatternBudget): Match;
}
