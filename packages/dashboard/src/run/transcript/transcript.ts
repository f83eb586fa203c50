import { isKnownEvent, type KnownRunEvent, type RunEvent, subagentEvent } from "@tenterhook/protocol/runs";
import { inputSummary } from "../timeline/input-summary.ts";

/** Consecutive output of one role. */
export interface TranscriptEntry {
  readonly id: string;
  readonly role: "agent" | "reasoning" | "program" | "hooks" | "tool" | "note";
  /** The subagent, or the path to a nested one. */
  readonly subagent: string | undefined;
  readonly timestamp: string;
  readonly step: number | undefined;
  text: string;
  /** The model call was retried, or its answer was refused. */
  isDiscarded: boolean;
}

/** The output of the agent and of its program; consecutive events of one role are joined. */
export function transcript(events: readonly RunEvent[]): readonly TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (const event of events) add(entries, event, undefined);
  return entries;
}

function add(entries: TranscriptEntry[], event: RunEvent, parent: string | undefined): void {
  if (!isKnownEvent(event)) return;
  if (event.event_type === "subagent") {
    add(
      entries,
      subagentEvent(event),
      parent === undefined ? event.subagent : `${parent} › ${event.subagent}`,
    );
  } else if (event.event_type === "answer_discarded") discard(entries, event, parent);
  else {
    const output = outputOf(event);
    if (output !== undefined) append(entries, event, { ...output, subagent: parent });
  }
}

function outputOf(event: KnownRunEvent): Pick<TranscriptEntry, "role" | "text"> | undefined {
  switch (event.event_type) {
    case "text":
      return { role: "agent", text: event.text };
    case "reasoning":
      return { role: "reasoning", text: event.text };
    case "log":
      return { role: event.source === "hooks" ? "hooks" : "program", text: `${event.text}\n` };
    case "tool_start": {
      const input = inputSummary(event.tool_input, 160);
      const { tool_name: name } = event;
      return { role: "tool", text: input === undefined ? name : `${name}: ${input}` };
    }
    case "run_retried":
      return { role: "note", text: "The runner was lost; the run starts again." };
    default:
      return undefined;
  }
}

const JOINED: readonly TranscriptEntry["role"][] = ["agent", "reasoning", "program", "hooks"];

/** Longer output is split into several entries. */
const MAX_CHARACTERS = 20_000;

function append(
  entries: TranscriptEntry[],
  event: KnownRunEvent,
  output: Pick<TranscriptEntry, "role" | "subagent" | "text">,
): void {
  const { id, timestamp } = event;
  const step = "step" in event ? event.step : undefined;
  const last = entries.at(-1);
  const isSame =
    last?.role === output.role &&
    last.subagent === output.subagent &&
    last.step === step &&
    !last.isDiscarded;
  if (isSame && JOINED.includes(output.role) && last.text.length < MAX_CHARACTERS) last.text += output.text;
  else entries.push({ id, timestamp, step, isDiscarded: false, ...output });
}

function discard(
  entries: TranscriptEntry[],
  event: KnownRunEvent<"answer_discarded">,
  subagent: string | undefined,
): void {
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry === undefined || entry.step !== event.step || entry.subagent !== subagent) return;
    if (entry.role === "agent" || entry.role === "reasoning") entry.isDiscarded = true;
  }
}
