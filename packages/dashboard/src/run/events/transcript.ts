import type { RunEvent } from "@tenterhook/protocol/runs";
import { type Fields, recordField, textField } from "../event-fields.ts";
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
  for (const event of events) tell(passages, event, event, undefined);
  return passages;
}

function tell(passages: Passage[], told: RunEvent, event: Fields, speaker: string | undefined): void {
  const type = textField(event, "event_type");
  const inner = type === "subagent" ? recordField(event, "event") : undefined;
  if (inner !== undefined) {
    const name = textField(event, "subagent") ?? "subagent";
    tell(passages, told, inner, speaker === undefined ? name : `${speaker} › ${name}`);
  } else if (type === "answer_discarded") discard(passages, event, speaker);
  else {
    const said = spoken(event);
    if (said !== undefined) say(passages, told, event, { ...said, speaker });
  }
}

function spoken(event: Fields): Pick<Passage, "voice" | "text"> | undefined {
  const text = textField(event, "text") ?? "";
  switch (textField(event, "event_type")) {
    case "text":
      return { voice: "agent", text };
    case "reasoning":
      return { voice: "reasoning", text };
    case "log":
      return { voice: textField(event, "source") === "hooks" ? "hooks" : "program", text: `${text}\n` };
    case "tool_start": {
      const words = firstWords(event.tool_input, 160);
      const name = textField(event, "tool_name") ?? "tool";
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

function say(
  passages: Passage[],
  { id, timestamp }: RunEvent,
  event: Fields,
  said: Pick<Passage, "voice" | "speaker" | "text">,
): void {
  const step = typeof event.step === "number" ? event.step : undefined;
  const last = passages.at(-1);
  const isSame =
    last?.voice === said.voice && last.speaker === said.speaker && last.step === step && !last.isDiscarded;
  if (isSame && JOINED.includes(said.voice) && last.text.length < MOST_LETTERS) last.text += said.text;
  else passages.push({ id, timestamp, step, isDiscarded: false, ...said });
}

function discard(passages: Passage[], event: Fields, speaker: string | undefined): void {
  for (let index = passages.length - 1; index >= 0; index--) {
    const passage = passages[index];
    if (passage === undefined || passage.step !== event.step || passage.speaker !== speaker) return;
    if (passage.voice === "agent" || passage.voice === "reasoning") passage.isDiscarded = true;
  }
}
