import { isThenable, readable } from "@tenterhook/internal";
import {
  type Action,
  type EventName,
  type HookDescriptor,
  type HookMode,
  type Immutable,
  type Outcome,
  type OutcomeType,
  type Payload,
  TenterhookError,
  type WouldHave,
} from "@tenterhook/protocol";
import type { FieldChange } from "../answer/answer.ts";
import { textOf } from "../answer/failure.ts";
import { bodyOf } from "../register/hook.ts";
import type { HookLifecycleEvent, HookLifecycleType } from "./hook-lifecycle-event.ts";

/** What one hook did in one dispatch. One shape for all of them, so that making one costs a few nanoseconds. */
export class TraceEntry {
  readonly hookId: string;
  readonly hook: string;
  readonly source: string;
  readonly mode: HookMode;
  /** `judging` entries are second judgements, after a later hook changed the value. */
  pass: "first" | "judging" = "first";
  /**
   * The type of its outcome. `unmatched` hooks were not called; `started` ones run in the background; `would_block` and the like is what a
   * hook that is not enforced would have done: then `changes` and `context` are what it would have changed and added.
   */
  verdict: OutcomeType | WouldHave | "failed" | "unmatched" | "started" = "proceed";
  /** What that meant. */
  action: Action = "go_on";
  reason: string | undefined = undefined;
  changes: readonly FieldChange[] | undefined = undefined;
  /** Context it added for the model. */
  context: string | undefined = undefined;
  error: TenterhookError | undefined = undefined;
  /** Matching was too costly to finish, so the hook was called. */
  matchUndecided: true | undefined = undefined;
  /** The alias of the tool that its matcher found, where the tool's own name does not match. */
  matchedAs: string | undefined = undefined;
  /** An approver's answer to its `ask`. */
  approval: "approve" | "reject" | "edit" | undefined = undefined;
  /** Milliseconds. Absent, in a dispatch without listeners, for a hook that ended in the tick it began in. */
  durationMs: number | undefined = undefined;
  /** Milliseconds since the process's time origin; absent with `durationMs`. */
  startedAt: number | undefined = undefined;

  readonly #descriptor: HookDescriptor;

  constructor(hook: HookDescriptor) {
    this.#descriptor = hook;
    this.hookId = hook.id;
    this.hook = hook.name;
    this.source = hook.source;
    this.mode = hook.mode;
  }

  /** False: the hook is not enforced, and nothing followed from what it answered. */
  get isEnforced(): boolean {
    return this.#descriptor.enforce !== false;
  }

  /** The text about the hook, of a HOOK.md its body; read on first use. */
  get body(): string | undefined {
    return bodyOf(this.#descriptor);
  }
}

/** What happened in one dispatch: which hooks were called, what each answered and changed, and how long it took. */
export interface Trace<E extends EventName = EventName> {
  readonly event: E;
  /** The payload before any hook changed it. */
  readonly original: Immutable<Payload<E>>;
  /** The payload after the last change. */
  readonly final: Immutable<Payload<E>>;
  readonly outcome: Outcome;
  readonly action: Action;
  /** The hook that decided, where one did. */
  readonly decidedBy?: string;
  readonly entries: readonly Readonly<TraceEntry>[];
}

/** Follows a hook while it runs, so that what the hook itself does can be attributed to it. */
export interface HookSpan {
  /** Must call `work` once and return what it returns. */
  run<T>(work: () => T): T;
  end(entry: TraceEntry): void;
}

/** Makes a span for every hook that runs: the port behind the OpenTelemetry listener. It may throw; that is reported. */
export type Instrument = (hook: HookDescriptor) => HookSpan;

/** When an instrument makes spans. */
export interface InstrumentOptions {
  /**
   * Called before hooks run: false while spans would be discarded. Then none are made, and hooks are timed nevertheless.
   * Default: always active.
   */
  readonly isActive?: () => boolean;
}

/** Takes a failure that is reported nowhere else. */
export type Report = (failure: TenterhookError) => void;

interface Member<T> {
  readonly listener: T;
}

interface Instrumented extends Member<Instrument>, InstrumentOptions {}

/** The listeners of every kind, those of inherited sets first. */
interface Listeners {
  readonly hookEvents: readonly Member<(event: HookLifecycleEvent) => void>[];
  readonly traces: readonly Member<(trace: Trace) => void>[];
  readonly instruments: readonly Instrumented[];
}

/** Counts the changes of all listeners of the process, so that each set knows when its lists are outdated. */
let changes = 0;

/** The listeners of a set of hooks. None of them can disturb a dispatch or another listener. */
export class Observers {
  readonly #report: Report;
  /** The listeners of inherited sets, which see the dispatches of this one too. */
  readonly #inherited: readonly Observers[];
  readonly #own = {
    hookEvents: new Set<Member<(event: HookLifecycleEvent) => void>>(),
    traces: new Set<Member<(trace: Trace) => void>>(),
    instruments: new Set<Instrumented>(),
  };
  #listeners: Listeners = { hookEvents: [], traces: [], instruments: [] };
  /** The count of changes that the lists are up to date with. */
  #seen = 0;
  #watching = false;

  constructor(report: Report | undefined, inherited: readonly Observers[] = []) {
    const [first] = inherited;
    this.#report = report ?? (first === undefined ? warn : first.#report);
    this.#inherited = inherited;
    this.#collect();
  }

  /** True while there is a listener; dispatches then use the precise clock. */
  get watching(): boolean {
    if (this.#seen !== changes) this.#collect();
    return this.#watching;
  }

  /** True while there is a listener that is called when a hook starts, and when it has ended. */
  get hearHookEvents(): boolean {
    return this.#current().hookEvents.length > 0;
  }

  addHookEventListener(listener: (event: HookLifecycleEvent) => void): () => void {
    return this.#add(this.#own.hookEvents, listener);
  }

  addTraceListener(listener: (trace: Trace) => void): () => void {
    return this.#add(this.#own.traces, listener);
  }

  addInstrument(instrument: Instrument, { isActive }: InstrumentOptions = {}): () => void {
    return this.#add(this.#own.instruments, instrument, isActive && { isActive });
  }

  hookEvent(
    type: HookLifecycleType,
    hook: HookDescriptor,
    durationMs?: number,
    error?: TenterhookError,
    reason?: string,
    judging = false,
  ): void {
    const { hookEvents } = this.#current();
    if (hookEvents.length === 0) return;
    const event = {
      type,
      event: hook.event,
      hookId: hook.id,
      hookName: hook.name,
      durationMs,
      error,
      reason,
      judging,
    };
    for (const { listener } of hookEvents) this.#emit(listener, event);
  }

  /** Notifies of a dispatch that has ended; its trace is only made for a listener. */
  trace(dispatch: { readonly trace: Trace }): void {
    const { traces } = this.#current();
    if (traces.length === 0) return;
    const { trace } = dispatch;
    for (const { listener } of traces) this.#emit(listener, trace);
  }

  /** Spans for a hook that is about to run; `undefined` without active instruments. */
  span(hook: HookDescriptor): HookSpan | undefined {
    const { instruments } = this.#current();
    if (instruments.length === 0) return undefined;
    const spans: HookSpan[] = [];
    for (const { listener: instrument, isActive } of instruments) {
      if (isActive !== undefined && !this.#isActive(isActive)) continue;
      try {
        spans.push(instrument(hook));
      } catch (error) {
        this.#listenerFailed(error);
      }
    }
    if (spans.length === 0) return undefined;
    return {
      run: (work) => spans.reduceRight((inner, span) => () => this.#inside(span, inner), work)(),
      end: (entry) => {
        for (const span of spans) this.#guard(() => span.end(entry));
      },
    };
  }

  /** Reports a failure where a person sees it, when no trace or outcome does. */
  report(failure: TenterhookError): void {
    // A reporter that fails must not cause another failure, and the one that it was given must not be lost.
    try {
      const answer: unknown = this.#report(failure);
      if (isThenable(answer)) Promise.resolve(answer).catch(() => warn(failure));
    } catch {
      warn(failure);
    }
  }

  /** Each registration counts by itself, also of a function that listens already. */
  #add<T, M extends Member<T>>(members: Set<M>, listener: T, more?: Omit<M, "listener">): () => void {
    if (typeof listener !== "function") {
      throw new TenterhookError("bad_hook", "a listener must be a function.");
    }
    const member = { listener, ...more } as M;
    members.add(member);
    changes++;
    return () => {
      members.delete(member);
      changes++;
    };
  }

  /** Not a getter: V8 looks a private one up anew for every read. */
  #current(): Listeners {
    if (this.#seen !== changes) this.#collect();
    return this.#listeners;
  }

  /** Makes the lists of listeners: each once, the inherited ones first. */
  #collect(): void {
    this.#seen = changes;
    const inherited = this.#inherited.map((each) => each.#current());
    const { hookEvents, traces, instruments } = this.#own;
    this.#listeners = {
      hookEvents: [...new Set([...inherited.flatMap((each) => each.hookEvents), ...hookEvents])],
      traces: [...new Set([...inherited.flatMap((each) => each.traces), ...traces])],
      instruments: [...new Set([...inherited.flatMap((each) => each.instruments), ...instruments])],
    };
    this.#watching = Object.values(this.#listeners).some(({ length }) => length > 0);
  }

  #emit<T>(listener: (value: T) => unknown, value: T): void {
    try {
      const answer = listener(value);
      // A listener may be async; its rejection must not end the process.
      if (isThenable(answer)) Promise.resolve(answer).catch((error: unknown) => this.#listenerFailed(error));
    } catch (error) {
      this.#listenerFailed(error);
    }
  }

  #isActive(isActive: () => boolean): boolean {
    try {
      return isActive();
    } catch (error) {
      this.#listenerFailed(error);
      return true;
    }
  }

  #guard(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.#listenerFailed(error);
    }
  }

  #listenerFailed(error: unknown): void {
    this.report(
      new TenterhookError("hook_threw", `a listener failed: ${textOf(error)}.`, { cause: readable(error) }),
    );
  }

  /** Runs the work inside a span, exactly once, whatever the span does: also if it never calls it, twice or later. */
  #inside<T>(span: HookSpan, work: () => T): T {
    let done: { readonly value: T } | undefined;
    const once = (): T => {
      done ??= { value: work() };
      return done.value;
    };
    this.#guard(() => span.run(once));
    return once();
  }
}

function warn(failure: TenterhookError): void {
  process.emitWarning(failure.message, { type: "TenterhookWarning", code: failure.code });
}
