import type { Tracer } from "@opentelemetry/api";
import type { HookSpan, Instrument } from "@tenterhook/engine/host";
import type { AgentOperation } from "../run/agent-instrument.ts";

/**
 * Identifies a tracer, which gets one span for each operation. Telemetry of an agent includes its subagents, and agents may share a
 * set of hooks, so listeners on several agents observe the same operation: only the first one creates the span.
 */
export type TracerKey = object;

/** The global tracer is a new object on every access. */
const GLOBAL: TracerKey = {};

export function tracerKey(tracer: Tracer | undefined): TracerKey {
  return tracer ?? GLOBAL;
}

/** Operations that have a span, by tracer. Every listener gets the same object. */
const claimedSpans = new WeakMap<AgentOperation, Set<TracerKey>>();

/** True for the first call with an operation and a tracer, false afterwards. */
export function claimSpan(operation: AgentOperation, key: TracerKey): boolean {
  const keys = claimedSpans.get(operation) ?? new Set();
  if (keys.has(key)) return false;
  claimedSpans.set(operation, keys.add(key));
  return true;
}

/** Hooks that have a span and have not started. The engine calls all listeners before a hook starts. */
const startedHooks = new WeakMap<TracerKey, object>();

const NO_SPAN: HookSpan = { run: (work) => work(), end: () => undefined };

/** The listener, without a second span for the same call of a hook. */
export function oncePerHook(instrument: Instrument, key: TracerKey): Instrument {
  return (hook) => {
    if (startedHooks.get(key) === hook) return NO_SPAN;
    const span = instrument(hook);
    startedHooks.set(key, hook);
    return {
      run(work) {
        startedHooks.delete(key);
        return span.run(work);
      },
      end(entry) {
        startedHooks.delete(key);
        span.end(entry);
      },
    };
  };
}
