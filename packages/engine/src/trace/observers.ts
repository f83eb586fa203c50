import { isThenable, readable } from "@tenterhook/internal";
import { type HookDescriptor, TenterhookError } from "@tenterhook/protocol";
import { textOf } from "../answer/failure.ts";
import type { HookLifecycleEvent, HookLifecycleType } from "./hook-lifecycle-event.ts";
import type { Trace, TraceEntry } from "./trace.ts";

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
