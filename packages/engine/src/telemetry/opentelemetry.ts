import {
  type Attributes,
  context,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { printed } from "@tenterhook/internal";
import type { Hooks, Unregister } from "../hooks.ts";
import type { Instrument, TraceEntry } from "../trace/trace.ts";
import { recordFailure } from "./span-failure.ts";

export { recordFailure };

/** Which tracer makes the spans, and what they contain. */
export interface OpenTelemetryOptions {
  /** Makes the spans. Default: the tracer `@tenterhook/engine` of the global provider. */
  readonly tracer?: Tracer;
  /** Also record reasons, changed values and the messages of failures: text of users and models. Default false. */
  readonly captureContent?: boolean;
}

/** Makes an OpenTelemetry span for every hook that runs, and keeps it active while the hook does. Returns the function that ends it. */
export function openTelemetry(hooks: Hooks, options: OpenTelemetryOptions = {}): Unregister {
  const { tracer = trace.getTracer("@tenterhook/engine"), captureContent = false } = options;
  const instrument: Instrument = (hook) => {
    const parent = context.active();
    const span = tracer.startSpan(
      `hook ${hook.event} ${hook.name}`,
      {
        kind: SpanKind.INTERNAL,
        // Known before the hook runs, so that samplers see them too.
        attributes: {
          "tenterhook.event": hook.event,
          "tenterhook.hook.name": hook.name,
          "tenterhook.hook.id": hook.id,
          "tenterhook.hook.source": hook.source,
          "tenterhook.hook.mode": hook.mode,
          "tenterhook.hook.priority": hook.priority,
          ...(hook.enforce === false && { "tenterhook.hook.enforce": false }),
        },
      },
      parent,
    );
    const inside = trace.setSpan(parent, span);
    return {
      run: (work) => context.with(inside, work),
      end(entry) {
        try {
          describe(span, entry, captureContent);
        } finally {
          // A span without its attributes is still part of the tree; one that never ends is lost.
          span.end();
        }
      },
    };
  };
  // Called before every dispatch, because a provider may be registered later.
  return hooks.instrument(instrument, options.tracer === undefined ? { isActive: isSetUp } : {});
}

const NO_PROVIDER = new ProxyTracerProvider().getDelegate();

/** Whether the process has a provider of tracers. Without one, spans would be discarded. */
function isSetUp(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== NO_PROVIDER;
}

function describe(span: Span, entry: TraceEntry, captureContent: boolean): void {
  span.setAttributes({
    "tenterhook.verdict": entry.verdict,
    "tenterhook.action": entry.action,
    "tenterhook.pass": entry.pass,
    ...(entry.matchUndecided && { "tenterhook.match.undecided": true }),
    ...(entry.approval !== undefined && { "tenterhook.approval": entry.approval }),
    ...(entry.changes !== undefined && {
      "tenterhook.changed_fields": entry.changes.map(({ field }) => field),
    }),
  });
  // A refusal is a hook that works; only a defect is an error.
  if (entry.error !== undefined) recordFailure(span, entry.error, captureContent);
  if (captureContent) span.setAttributes(contentOf(entry));
}

function contentOf({ reason, changes = [] }: TraceEntry): Attributes {
  const content: Attributes = {};
  if (reason !== undefined) content["tenterhook.reason"] = reason;
  for (const { field, before, after } of changes) {
    content[`tenterhook.changed.${field}.before`] = printed(before);
    content[`tenterhook.changed.${field}.after`] = printed(after);
  }
  return content;
}
