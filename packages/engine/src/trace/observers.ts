import { type HookDescriptor, messageOf, TenterhookError } from "@tenterhook/protocol";
import type { HookEvent, HookEventType } from "./hook-event.ts";
import type { Trace, TraceEntry } from "./trace.ts";

/** Follows a hook while it runs, so that what the hook itself does can be attributed to it. */
export interface HookSpan {
  /** Must call `work` once and return what it returns. */
  run<T>(work: () => T): T;
  end(entry: TraceEntry): void;
}

/** Makes a span for every hook that runs: the port behind the OpenTelemetry listener. May throw; nobody is hurt. */
export type Instrument = (hook: HookDescriptor) => HookSpan;

/** Takes a failure that reached nobody else. */
export type Report = (failure: TenterhookError) => void;

interface Member<T> {
  readonly listener: T;
}

/** Everybody who watches: any number of listeners, none of whom can disturb a dispatch or each other. */
export class Observers {
  readonly #report: Report;
  /** Who watches the sets above, and with them everything below. */
  readonly #above: readonly Observers[];
  readonly #hookEvents = new Set<Member<(event: HookEvent) => void>>();
  readonly #traces = new Set<Member<(trace: Trace) => void>>();
  readonly #instruments = new Set<Member<Instrument>>();
  #watching = false;

  constructor(report: Report | undefined, above: readonly Observers[] = []) {
    const [first] = above;
    this.#report = report ?? (first === undefined ? warn : first.#report);
    this.#above = above;
  }

  /** True while anybody listens; dispatches then take the precise clock. */
  get watching(): boolean {
    if (this.#watching) return true;
    // No callback: this is read before every dispatch.
    for (const each of this.#above) if (each.watching) return true;
    return false;
  }

  addHookEventListener(listener: (event: HookEvent) => void): () => void {
    return this.#add(this.#hookEvents, listener);
  }

  addTraceListener(listener: (trace: Trace) => void): () => void {
    return this.#add(this.#traces, listener);
  }

  addInstrument(instrument: Instrument): () => void {
    return this.#add(this.#instruments, instrument);
  }

  hookEvent(
    type: HookEventType,
    hook: HookDescriptor,
    durationMs?: number,
    error?: TenterhookError,
    reason?: string,
    judging = false,
  ): void {
    if (!this.watching) return;
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
    for (const { listener } of this.#all((each) => each.#hookEvents)) this.#tell(listener, event);
  }

  trace(trace: () => Trace): void {
    if (!this.watching) return;
    const listeners = this.#all((each) => each.#traces);
    if (listeners.length === 0) return;
    const made = trace();
    for (const { listener } of listeners) this.#tell(listener, made);
  }

  /** Spans for a hook that is about to run; `undefined` when nobody makes any. */
  span(hook: HookDescriptor): HookSpan | undefined {
    if (!this.watching) return undefined;
    const instruments = this.#all((each) => each.#instruments);
    if (instruments.length === 0) return undefined;
    const spans: HookSpan[] = [];
    for (const { listener: instrument } of instruments) this.#guard(() => spans.push(instrument(hook)));
    return {
      run: (work) => spans.reduceRight((inner, span) => () => this.#inside(span, inner), work)(),
      end: (entry) => {
        for (const span of spans) this.#guard(() => span.end(entry));
      },
    };
  }

  /** Says a failure where a person sees it, when no trace or outcome will. */
  report(failure: TenterhookError): void {
    try {
      this.#report(failure);
    } catch {
      // A reporter that throws must not turn a reported failure into a new one.
    }
  }

  /** Each registration counts by itself, also of a function that listens already. */
  #add<T>(members: Set<Member<T>>, listener: T): () => void {
    if (typeof listener !== "function") {
      throw new TenterhookError("bad_hook", "a listener must be a function.");
    }
    const member = { listener };
    members.add(member);
    this.#count();
    return () => {
      members.delete(member);
      this.#count();
    };
  }

  /** Everybody of one kind, the ones above first. */
  #all<T>(kind: (observers: Observers) => ReadonlySet<Member<T>>): readonly Member<T>[] {
    return [...new Set([...this.#above.flatMap((each) => each.#all(kind)), ...kind(this)])];
  }

  #count(): void {
    this.#watching = this.#hookEvents.size + this.#traces.size + this.#instruments.size > 0;
  }

  #tell<T>(listener: (value: T) => unknown, value: T): void {
    this.#guard(() => {
      const answer = listener(value);
      // A listener may be async; its rejection is its own affair, and must not end the process.
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#listenerFailed(error));
    });
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
      new TenterhookError("hook_threw", `a listener failed: ${messageOf(error)}.`, { cause: error }),
    );
  }

  /** Runs the work inside a span, exactly once, whatever the span does. */
  #inside<T>(span: HookSpan, work: () => T): T {
    let done: { readonly value: T } | undefined;
    this.#guard(() =>
      span.run(() => {
        done ??= { value: work() };
        return done.value;
      }),
    );
    return done === undefined ? work() : done.value;
  }
}

function warn(failure: TenterhookError): void {
  process.emitWarning(failure.message, { type: "TenterhookWarning", code: failure.code });
}
