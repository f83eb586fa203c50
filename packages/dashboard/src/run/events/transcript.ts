import { isKnownEvent, type KnownRunEvent, type RunEvent, subagentEvent } from "@tenterhook/protocol/runs";
import { firstWords } from "../timeline/first-words.ts";

/** A piece of what was said, by one voice. */
export interface Passage {
  readonly id: string;
  readonly voice: "agent" | "reasoning" | "program" | "hooks" | "tool" | "note";
  /** Who, where there are several: a subagent. */
  readonly speaker: string | undefined;
  readonly timestamp: string;
  readonly step: number | undefined;
  text: string;
  /** What was said does not count: the call was made again, or the answer was refused. */
  isDiscarded: boolean;
}

/** What the agent said, and what its program wrote: events of one voice joined for reading. */
export function transcript(events: readonly RunEvent[]): readonly Passage[] {
  const passages: Passage[] = [];
  for (const event of events) add(passages, event, undefined);
  return passages;
}

function add(passages: Passage[], event: RunEvent, speaker: string | undefined): void {
  if (!isKnownEvent(event)) return;
  if (event.event_type === "subagent") {
    const { subagent } = event;
    add(passages, subagentEvent(event), speaker === undefined ? subagent : `${speaker} › ${subagent}`);
  } else if (event.event_type === "answer_discarded") discard(passages, event, speaker);
  else {
    const said = spoken(event);
    if (said !== undefined) append(passages, event, { ...said, speaker });
  }
}

function spoken(event: KnownRunEvent): Pick<Passage, "voice" | "text"> | undefined {
  switch (event.event_type) {
    case "text":
      return { voice: "agent", text: event.text };
    case "reasoning":
      return { voice: "reasoning", text: event.text };
    case "log":
      return { voice: event.source === "hooks" ? "hooks" : "program", text: `${event.text}\n` };
    case "tool_start": {
      const words = firstWords(event.tool_input, 160);
      const { tool_name: name } = event;
      return { voice: "tool", text: words === undefined ? name : `${name}: ${words}` };
    }
    case "run_retried":
      return { voice: "note", text: "Its runner was lost; it begins again." };
    default:
      return undefined;
  }
}

const JOINED: readonly Passage["voice"][] = ["agent", "reasoning", "program", "hooks"];

/** One voice may write very much: such a passage is cut into several, which costs nothing but a line between them. */
const MOST_LETTERS = 20_000;

function append(
  passages: Passage[],
  event: KnownRunEvent,
  said: Pick<Passage, "voice" | "speaker" | "text">,
): void {
  const { id, timestamp } = event;
  const step = "step" in event ? event.step : undefined;
  const last = passages.at(-1);
  const isSame =
    last?.voice === said.voice && last.speaker === said.speaker && last.step === step && !last.isDiscarded;
  if (isSame && JOINED.includes(said.voice) && last.text.length < MOST_LETTERS) last.text += said.text;
  else passages.push({ id, timestamp, step, isDiscarded: false, ...said });
}

function discard(
  passages: Passage[],
  event: KnownRunEvent<"answer_discarded">,
  speaker: string | undefined,
): void {
  for (let index = passages.length - 1; index >= 0; index--) {
    const passage = passages[index];
    if (passage === undefined || passage.step !== event.step || passage.speaker !== speaker) return;
    if (passage.voice === "agent" || passage.voice === "reasoning") passage.isDiscarded = true;
  }
}
