import type { Tracer } from "@opentelemetry/api";
import type { HookSpan, Instrument } from "@tenterhook/engine";
import type { AgentOperation } from "./agent-instrument.ts";

/**
 * Stands for a tracer, of which everything gets one span. Telemetry of an agent follows it into its subagents, and agents
 * may share a set of hooks, so that listeners on several agents hear of the same thing: the first one makes the span.
 */
export type TracerKey = object;

/** The global tracer is another object each time that it is asked for. */
const GLOBAL: TracerKey = {};

export function tracerKey(tracer: Tracer | undefined): TracerKey {
  return tracer ?? GLOBAL;
}

/** Operations that have a span, by tracer. Every listener is shown the same object. */
const spanned = new WeakMap<AgentOperation, Set<TracerKey>>();

/** Whether this listener is the first of its tracer to hear of the operation: true once, and then no more. */
export function isFirst(operation: AgentOperation, key: TracerKey): boolean {
  const keys = spanned.get(operation) ?? new Set();
  if (keys.has(key)) return false;
  spanned.set(operation, keys.add(key));
  return true;
}

/** Hooks that have a span and have not begun. The engine asks all listeners in one go before a hook begins. */
const waiting = new WeakMap<TracerKey, object>();

const NO_SPAN: HookSpan = { run: (work) => work(), end: () => undefined };

/** The listener, kept from making a second span for the same run of a hook. */
export function oncePerHook(instrument: Instrument, key: TracerKey): Instrument {
  return (hook) => {
    if (waiting.get(key) === hook) return NO_SPAN;
    const span = instrument(hook);
    waiting.set(key, hook);
    return {
      run(work) {
        waiting.delete(key);
        return span.run(work);
      },
      end(entry) {
        waiting.delete(key);
        span.end(entry);
      },
    };
  };
}
