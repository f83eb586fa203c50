import { type Context, context, type Span, type Tracer, trace } from "@opentelemetry/api";
import { recordFailure } from "@tenterhook/engine/opentelemetry";
import { TenterhookError } from "@tenterhook/protocol";
import type { AgentOperation, OperationFacts } from "../run/agent-instrument.ts";
import { endAttributes, spanKind, spanName, startAttributes } from "./gen-ai-attributes.ts";
import { contentAttributes } from "./gen-ai-content.ts";

/** The span of one operation. It may throw errors of the tracer. */
export class OperationSpan {
  /** The context for the operation's work, so that its spans become children of this one. */
  readonly inside: Context;
  readonly #span: Span;
  readonly #operation: AgentOperation;
  readonly #captureContent: boolean;
  #facts: OperationFacts = {};

  constructor(tracer: Tracer, operation: AgentOperation, captureContent: boolean) {
    const parent = context.active();
    const start = { kind: spanKind(operation), attributes: startAttributes(operation) };
    this.#span = tracer.startSpan(spanName(operation), start, parent);
    this.inside = trace.setSpan(parent, this.#span);
    this.#operation = operation;
    this.#captureContent = captureContent;
  }

  record(facts: OperationFacts): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  /** Records how it ended; `thrown` has the error of the work. */
  end(thrown?: { readonly error: unknown }): void {
    try {
      this.#describe(thrown);
    } finally {
      // A span that does not end is lost, so it ends even if its attributes could not be set.
      this.#span.end();
    }
  }

  #describe(thrown?: { readonly error: unknown }): void {
    const facts = this.#facts;
    const { outcome, failure } = operationEnd(facts, thrown);
    // A hook may have chosen another model in the meantime.
    if (facts.model !== undefined) this.#span.updateName(spanName(this.#operation, facts));
    this.#span.setAttributes({ ...endAttributes(facts), "tenterhook.outcome": outcome });
    if (failure !== undefined) recordFailure(this.#span, failure.error, this.#captureContent);
    if (!this.#captureContent || !this.#span.isRecording()) return;
    this.#span.setAttributes(contentAttributes(this.#operation, facts));
  }
}

/** How an operation ended. Refusals and stops are outcomes of their own: only a failure has an error. */
interface OperationEnd {
  readonly outcome: string;
  /** The error, if it failed. */
  readonly failure?: { readonly error: unknown };
}

/** The end by the recorded facts; without an outcome a thrown error decides. */
function operationEnd(
  { outcome, error }: OperationFacts,
  thrown?: { readonly error: unknown },
): OperationEnd {
  if (outcome === "failed") return { outcome, failure: { error } };
  if (outcome !== undefined || thrown === undefined) return { outcome: outcome ?? "completed" };
  const isRefused = TenterhookError.isInstance(thrown.error) && thrown.error.code === "model_call_refused";
  return isRefused ? { outcome: "refused" } : { outcome: "failed", failure: thrown };
}
