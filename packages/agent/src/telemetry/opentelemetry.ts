import { context, type Tracer, trace } from "@opentelemetry/api";
import type { Hooks, Unregister } from "@tenterhook/engine";
import { openTelemetry } from "@tenterhook/engine/opentelemetry";
import { messageOf } from "@tenterhook/internal";
import type { Agent } from "../agent.ts";
import type { AgentInstrument, AgentOperation, OperationFacts } from "../run/agent-instrument.ts";
import { claimSpan, oncePerHook, tracerKey } from "./once-per-tracer.ts";
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
  const operations = new TracedOperations(options);
  const key = tracerKey(options.tracer);
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

/** Creates the spans. Errors of a tracer, a span or a context manager do not reach the work. */
class TracedOperations implements AgentInstrument {
  /** A run keeps the instruments that it started with, so a removed one must ignore further operations. */
  isRemoved = false;
  readonly #options: AgentTelemetryOptions;
  readonly #tracer: Tracer;
  #hasWarned = false;

  constructor(options: AgentTelemetryOptions) {
    this.#options = options;
    this.#tracer = options.tracer ?? trace.getTracer("@tenterhook/agent");
  }

  async span<T>(
    operation: AgentOperation,
    work: (record: (facts: OperationFacts) => void) => Promise<T>,
  ): Promise<T> {
    const span = this.#start(operation);
    if (span === undefined) return work(() => undefined);
    try {
      const result = await this.#inside(span, async () => work((facts) => span.record(facts)));
      this.#guard(() => span.end());
      return result;
    } catch (error) {
      this.#guard(() => span.end({ error }));
      throw error;
    }
  }

  #start(operation: AgentOperation): OperationSpan | undefined {
    const { tracer, captureContent = false } = this.#options;
    if (this.isRemoved || !claimSpan(operation, tracerKey(tracer))) return undefined;
    return this.#guard(() => new OperationSpan(this.#tracer, operation, captureContent));
  }

  /** Starts the work inside the span, exactly once, even if the context manager fails. */
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

  /** Once: the error would repeat for every span. */
  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`The agent's telemetry fails, and spans are missing: ${messageOf(error)}`, {
      type: "TenterhookWarning",
    });
  }
}
