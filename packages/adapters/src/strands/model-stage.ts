import type * as sdk from "@strands-agents/sdk";
import { callModel, type HostRun, mayHaveOneOf, mayReplaceAnswer } from "../core/index.ts";
import type { AgentParts, Invocation } from "./invocation.ts";
import { createAnswer, readStrandsAnswer, type StrandsAnswer, StrandsForm } from "./model-form.ts";
import { drain, type Emit, relay } from "./relay.ts";

type Result = { readonly result: sdk.ModelResult };
type Events = AsyncGenerator<sdk.AgentStreamEvent, Result, undefined>;

const EVENTS = ["before_llm", "after_llm", "on_error"] as const;

/** Whether hooks have something to do at a model call. */
export function concernsModelCall({ hooks }: AgentParts, { run, refusal }: Invocation): boolean {
  return refusal !== undefined || run.stopped?.by === "hook" || mayHaveOneOf(hooks, EVENTS, "around_llm");
}

/**
 * The model call with its hooks. A refused or stopped run gets its reason as the answer here, where no other plugin can reset it.
 * A text that hooks may still change is shown when they have seen it.
 */
export async function* callModelWithHooks(
  parts: AgentParts,
  { run, refusal, replaced }: Invocation,
  context: sdk.InvokeModelContext,
  next: (context: sdk.InvokeModelContext) => Events,
): Events {
  const answers: sdk.Message[] = [];
  const noteReplaced = ({ message }: sdk.ModelResult) => {
    for (const answer of answers) if (answer !== message) replaced.set(answer, message);
  };
  const end = async function* (text: string, stopReason: string): Events {
    const { events, result } = createAnswer(parts.sdk, context, { text, toolUses: [] });
    noteReplaced(result);
    for (const event of events) yield event;
    return { result: { ...result, stopReason } };
  };
  if (run.stopped?.by === "hook") return yield* end(formatStop(run), "cancelled");
  if (refusal !== undefined) return yield* end(refusal.reason, "endTurn");
  const isDelayed = await mayReplaceAnswer(run.hooks);
  const call = (emit: Emit<sdk.AgentStreamEvent> | undefined) =>
    callModel(
      run,
      context,
      new StrandsForm(parts, async (changed) => {
        const answer = await (emit === undefined ? collect(next(changed)) : show(next(changed), emit));
        answers.push(answer.result.message);
        return answer;
      }),
    );
  try {
    const { events, result } = isDelayed ? await call(undefined) : yield* relay(call);
    noteReplaced(result);
    for (const event of events) yield event;
    return { result };
  } catch (error) {
    const { stopped } = run;
    if (stopped === undefined) throw error;
    return yield* end(stopped.by === "hook" ? formatStop(run) : "Cancelled by user", "cancelled");
  }
}

/** Strands has put the model's own answers into the traces of the result. */
export function replaceAnswers(traces: readonly sdk.AgentTrace[], replaced: Invocation["replaced"]): void {
  for (const trace of traces) {
    if (trace.message !== null) trace.message = replaced.get(trace.message) ?? trace.message;
    replaceAnswers(trace.children, replaced);
  }
}

/** What the caller reads as the agent's last message after a hook stopped the run. */
export function formatStop({ stopped }: HostRun): string {
  return `The run was stopped: ${stopped?.error.message ?? "no reason given"}`;
}

/** Reads a generator to its end, and keeps its events for later. */
async function collect(generator: Events): Promise<StrandsAnswer> {
  const events: sdk.AgentStreamEvent[] = [];
  for (;;) {
    const next = await generator.next();
    if (next.done) return readStrandsAnswer(next.value.result, events);
    events.push(next.value);
  }
}

/** Reads a generator to its end, and passes its events on. */
async function show(generator: Events, emit: Emit<sdk.AgentStreamEvent>): Promise<StrandsAnswer> {
  const { result } = await drain(generator, emit);
  return readStrandsAnswer(result, []);
}
