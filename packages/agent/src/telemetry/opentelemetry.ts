import { context, type Tracer, trace } from "@opentelemetry/api";
import type { Hooks, Unregister } from "@tenterhook/engine";
import type { HookSpan, Instrument } from "@tenterhook/engine/host";
import { openTelemetry } from "@tenterhook/engine/opentelemetry";
import { messageOf } from "@tenterhook/internal";
import type { Agent } from "../agent.ts";
import type { AgentInstrument, AgentOperation, OperationFacts } from "../run/agent-instrument.ts";
import { OperationSpan } from "./operation-span.ts";

/** Which tracer makes an agent's spans, and what they contain. */
export interface AgentTelemetryOptions {
  /** Creates the spans. Default: the tracers `@tenterhook/agent` and, for hooks, `@tenterhook/engine` of the global provider. */
  readonly tracer?: Tracer;
  /** Also record messages, tool inputs and results, reasons and error messages. Default false. */
  readonly captureContent?: boolean;
}

/**
 * Creates OpenTelemetry spans by the GenAI conventions: for an agent's runs, model calls and tool calls, for those of its subagents,
 * and for every hook inside the span of its operation. Returns the function that removes the listener.
 */
export function agentTelemetry(
  agent: Pick<Agent, "hooks" | "instrument">,
  options: AgentTelemetryOptions = {},
): Unregister {
  const key = options.tracer ?? GLOBAL_TRACER;
  const operations = tracedOperations(options, key);
  const target: Pick<Hooks, "instrument"> = {
    instrument: (instrument) => agent.hooks.instrument(oncePerHook(instrument, key)),
  };
  // The engine's listener only calls `instrument`.
  const removeFromHooks = openTelemetry(target as Hooks, options);
  const removeFromAgent = agent.instrument(operations);
  return () => {
    operations.isRemoved = true;
    removeFromHooks();
    removeFromAgent();
  };
}

/** The spans of operations. Errors of a tracer, a span or a context manager do not reach the work. */
function tracedOperations(
  { tracer = trace.getTracer("@tenterhook/agent"), captureContent = false }: AgentTelemetryOptions,
  key: TracerKey,
): AgentInstrument & { isRemoved: boolean } {
  let hasWarned = false;
  const guard = <T>(telemetry: () => T): T | undefined => {
    try {
      return telemetry();
    } catch (error) {
      // Once: the error would repeat for every span.
      if (!hasWarned) warn(error);
      hasWarned = true;
      return undefined;
    }
  };
  return {
    /** A run keeps the instruments that it started with, so a removed one must ignore further operations. */
    isRemoved: false,
    async span<T>(
      operation: AgentOperation,
      work: (record: (facts: OperationFacts) => void) => Promise<T>,
    ): Promise<T> {
      const isClaimed = !this.isRemoved && claimSpan(operation, key);
      const span = isClaimed ? guard(() => new OperationSpan(tracer, operation, captureContent)) : undefined;
      if (span === undefined) return work(() => undefined);
      // The work is started inside the span, exactly once, even if the context manager fails.
      let running: Promise<T> | undefined;
      const start = () => {
        running ??= (async () => work((facts) => span.record(facts)))();
        return running;
      };
      try {
        guard(() => context.with(span.inside, () => void start()));
        const result = await start();
        guard(() => span.end());
        return result;
      } catch (error) {
        guard(() => span.end({ error }));
        throw error;
      }
    },
  };
}

function warn(error: unknown): void {
  process.emitWarning(`The agent's telemetry fails, and spans are missing: ${messageOf(error)}`, {
    type: "TenterhookWarning",
  });
}

/**
 * Identifies a tracer, which gets one span for each operation. Telemetry of an agent includes its subagents, and agents may share a
 * set of hooks, so listeners on several agents observe the same operation: only the first one creates the span.
 */
type TracerKey = object;

/** The global tracer is a new object on every access. */
const GLOBAL_TRACER: TracerKey = {};

/** Operations that have a span, by tracer. Every listener gets the same object. */
const claimedSpans = new WeakMap<AgentOperation, Set<TracerKey>>();

/** True for the first call with an operation and a tracer, false afterwards. */
function claimSpan(operation: AgentOperation, key: TracerKey): boolean {
  const keys = claimedSpans.get(operation) ?? new Set();
  if (keys.has(key)) return false;
  claimedSpans.set(operation, keys.add(key));
  return true;
}

/** Hooks that have a span and have not started. The engine calls all listeners before a hook starts. */
const startedHooks = new WeakMap<TracerKey, object>();

const NO_SPAN: HookSpan = { run: (work) => work(), end: () => undefined };

/** The listener, without a second span for the same call of a hook. */
function oncePerHook(instrument: Instrument, key: TracerKey): Instrument {
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
