import { context, type Tracer, trace } from "@opentelemetry/api";
import type { Hooks, Unregister } from "@tenterhook/engine";
import { openTelemetry } from "@tenterhook/engine/opentelemetry";
import { messageOf } from "@tenterhook/protocol";
import type { Agent } from "../agent.ts";
import type { AgentInstrument, AgentOperation, OperationFacts } from "./agent-instrument.ts";
import { isFirst, oncePerHook, tracerKey } from "./once-per-tracer.ts";
import { OperationSpan } from "./operation-span.ts";

export interface AgentTelemetryOptions {
  /** Makes the spans. Default: the tracers `@tenterhook/agent` and, for hooks, `@tenterhook/engine` of the global provider. */
  readonly tracer?: Tracer;
  /** Also write down messages, tool inputs and results, reasons and the messages of errors. Default false. */
  readonly captureContent?: boolean;
}

/**
 * Makes OpenTelemetry spans of what an agent does, by the GenAI conventions: its runs, model calls and tool calls, those of
 * its subagents, and every hook inside the span of what it is asked about. Returns its own undo.
 */
export function agentTelemetry(
  agent: Pick<Agent, "hooks" | "instrument">,
  options: AgentTelemetryOptions = {},
): Unregister {
  const operations = new TracedOperations(options);
  const key = tracerKey(options.tracer);
  const put: Pick<Hooks, "instrument"> = {
    instrument: (instrument) => agent.hooks.instrument(oncePerHook(instrument, key)),
  };
  // The engine's listener asks of a set of hooks no more than to be put on it.
  const undoHooks = openTelemetry(put as Hooks, options);
  const undoOperations = agent.instrument(operations);
  return () => {
    operations.isOver = true;
    undoHooks();
    undoOperations();
  };
}

/** Makes the spans. Nothing that a tracer, a span or a context manager throws reaches the work. */
class TracedOperations implements AgentInstrument {
  /** A run keeps the instruments that it began with, so they must know themselves when they are no longer wanted. */
  isOver = false;
  readonly #options: AgentTelemetryOptions;
  readonly #tracer: Tracer;
  #hasWarned = false;

  constructor(options: AgentTelemetryOptions) {
    this.#options = options;
    this.#tracer = options.tracer ?? trace.getTracer("@tenterhook/agent");
  }

  async span<T>(
    operation: AgentOperation,
    work: (note: (facts: OperationFacts) => void) => Promise<T>,
  ): Promise<T> {
    const span = this.#begin(operation);
    if (span === undefined) return work(() => undefined);
    try {
      const result = await this.#inside(span, async () => work((facts) => span.note(facts)));
      this.#guard(() => span.end());
      return result;
    } catch (error) {
      this.#guard(() => span.end({ error }));
      throw error;
    }
  }

  #begin(operation: AgentOperation): OperationSpan | undefined {
    const { tracer, captureContent = false } = this.#options;
    if (this.isOver || !isFirst(operation, tracerKey(tracer))) return undefined;
    return this.#guard(() => new OperationSpan(this.#tracer, operation, captureContent));
  }

  /** Starts the work inside the span, exactly once, whatever the context manager does. */
  #inside<T>(span: OperationSpan, work: () => Promise<T>): Promise<T> {
    let running: Promise<T> | undefined;
    this.#guard(() =>
      context.with(span.inside, () => {
        running ??= work();
      }),
    );
    return running ?? work();
  }

  #guard<T>(telemetry: () => T): T | undefined {
    try {
      return telemetry();
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }

  /** Once: what is broken is broken for every span. */
  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`The agent's telemetry fails, and spans are missing: ${messageOf(error)}`, {
      type: "TenterhookWarning",
    });
  }
}
