import type { EventName, HookDescriptor } from "@tenterhook/protocol";
import type { Matcher } from "../match/match.ts";
import type { Hook } from "../register/hook.ts";
import { QuietRecord } from "../trace/quiet-record.ts";
import { type TimedRun, timedLoop, timedUnrolled } from "./timed.ts";
import { looped, type QuietRun, unrolled } from "./unrolled.ts";

/** How often a plan runs in a loop before it is worth a function of its own. */
const HOT = 64;

/** A hook in a plan, with what of its matcher is still to be decided when the event comes. */
export interface PlannedHook {
  readonly hook: Hook;
  readonly matcher: Matcher | undefined;
}

/**
 * The hooks of one event, and for tool events of one tool, in order. A plan is quiet when all its hooks are simply
 * called one after another; while none of them answers, it runs without bookkeeping.
 */
export class Plan {
  readonly event: EventName;
  readonly planned: readonly PlannedHook[];
  readonly sync: readonly PlannedHook[];
  readonly background: readonly PlannedHook[];
  readonly quiet: boolean;
  /** By the hook's id: the alias of the tool that it matches by, where the tool's own name does not match. */
  readonly matchedAs: ReadonlyMap<string, string> | undefined;
  /** What the sync hooks are, for traces. */
  readonly descriptors: readonly HookDescriptor[];
  /** The record of all dispatches in which no hook answered. */
  readonly quietRecord: QuietRecord;
  /** Calls the sync hooks of a quiet plan; see `QuietRun`. */
  run: QuietRun;
  /** The same for listeners to the trace: the clock is read between hooks. */
  runTimed: TimedRun;
  #runs = 0;
  #timedRuns = 0;

  constructor(event: EventName, planned: readonly PlannedHook[], matchedAs?: ReadonlyMap<string, string>) {
    this.event = event;
    this.planned = planned;
    this.matchedAs = matchedAs;
    this.sync = planned.filter(({ hook }) => hook.descriptor.mode === "sync");
    this.background = planned.filter(({ hook }) => hook.descriptor.mode === "background");
    this.quiet =
      // The trace must say by which name a hook was found.
      matchedAs === undefined &&
      this.background.length === 0 &&
      this.sync.every(({ hook, matcher }) => matcher === undefined && !hook.isMiddleware);
    this.descriptors = this.sync.map(({ hook }) => hook.descriptor);
    this.quietRecord = new QuietRecord(this.descriptors);
    const handles = this.sync.map(({ hook }) => hook.handle);
    this.run = this.#warmUp(handles);
    this.runTimed = this.#warmUpTimed(handles);
  }

  get isEmpty(): boolean {
    return this.sync.length + this.background.length === 0;
  }

  #warmUp(handles: readonly Hook["handle"][]): QuietRun {
    const loop = looped(handles);
    return (context) => {
      if (++this.#runs >= HOT) this.run = unrolled(handles);
      return loop(context);
    };
  }

  #warmUpTimed(handles: readonly Hook["handle"][]): TimedRun {
    const loop = timedLoop(handles);
    return (context) => {
      if (++this.#timedRuns >= HOT) this.runTimed = timedUnrolled(handles);
      return loop(context);
    };
  }
}
