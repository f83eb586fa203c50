import type { EventName } from "@tenterhook/protocol";
import type { Matcher } from "../match/matcher.ts";
import type { Hook } from "../register/hook.ts";

/** A hook in a plan, with what of its matcher is still to be decided when the event comes. */
export interface PlannedHook {
  readonly hook: Hook;
  readonly matcher: Matcher | undefined;
}

/** The hooks of one event, and for tool events of one tool, in order. */
export class Plan {
  readonly event: EventName;
  readonly planned: readonly PlannedHook[];
  readonly sync: readonly PlannedHook[];
  readonly background: readonly PlannedHook[];
  /** By the hook's id: the alias of the tool that it matches by, where the tool's own name does not match. */
  readonly matchedAs: ReadonlyMap<string, string> | undefined;
  constructor(event: EventName, planned: readonly PlannedHook[], matchedAs?: ReadonlyMap<string, string>) {
    this.event = event;
    this.planned = planned;
    this.matchedAs = matchedAs;
    this.sync = planned.filter(({ hook }) => hook.descriptor.mode === "sync");
    this.background = planned.filter(({ hook }) => hook.descriptor.mode === "background");
  }

  get isEmpty(): boolean {
    return this.planned.length === 0;
  }
}
