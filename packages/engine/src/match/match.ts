import type { EventName } from "@tenterhook/protocol";
import type { PatternBudget } from "./pattern-budget.ts";
import type { MatchSubject } from "./subject.ts";

/** `unknown` means that matching was too costly to finish: the hook runs, and decides itself. */
export type Match = "yes" | "no" | "unknown";

/**
 * Decides whether a hook is called for an action. Matchers compose, describe themselves in words, and decide early what can
 * be known from the event and the tool's name alone, so that most of the work is done once per tool.
 */
export interface Matcher<Tool extends boolean = boolean> {
  readonly description: string;
  /** Needs a tool: registering it on an event without one is an error. */
  readonly needsTool: Tool;
  /** Decides from the event and the tool's name; `unknown` when it depends on the input or the context. */
  plan(event: EventName, toolName: string | undefined, budget: PatternBudget): Match;
  match(subject: MatchSubject, budget: PatternBudget): Match;
}
