import { storableJson } from "@tenterhook/protocol/runs";
import { MAX_CHARACTERS } from "./bounded.ts";
import type { DatedEvent, ReportedEvent } from "./reported-event.ts";

/** Delivers events to the coordinator with retries; rejects when they are refused for good. */
export type Deliver = (first: number, events: readonly DatedEvent[]) => Promise<void>;

/** Events within this time share a report. */
const BATCH_MS = 50;

/** The most of one report: the coordinator's limit, and a little less than the usual limit on bodies. */
const MAX_IN_REPORT = 500;
const MAX_CHARACTERS_IN_REPORT = 256_000;

/** The most that waits while the coordinator is unreachable. */
const MAX_WAITING = 5_000;
const MAX_CHARACTERS_WAITING = 4_000_000;

/** Pieces of these become one event while they wait. */
type TextEvent = ReportedEvent<"text" | "reasoning">;

function isTextEvent(event: ReportedEvent): event is TextEvent {
  return event.type === "text" || event.type === "reasoning";
}

interface Waiting {
  readonly event: DatedEvent;
  readonly characters: number;
}

/**
 * The events of one run on their way to the coordinator: batched for a moment, numbered from 1 when they are first sent, and repeated
 * with the same numbers until they are answered. Events that do not fit any more are counted, and the count is reported.
 */
export class EventOutbox {
  readonly #deliver: Deliver;
  #waiting: Waiting[] = [];
  #characters = 0;
  #dropped = 0;
  #first = 1;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isClosed = false;

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  /** Takes an event. It never throws. */
  add(event: ReportedEvent): void {
    if (this.#isClosed) return;
    try {
      for (const piece of splitEvent(event)) if (!this.#joinLast(piece)) this.#push(piece);
    } catch {
      // Its data cannot be written as JSON.
      this.#dropped++;
    }
    if (this.#sending !== undefined) return;
    this.#timer ??= setTimeout(() => void this.flush(), BATCH_MS);
  }

  /** Sends what there is, and resolves when nothing is left to send. It never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    await this.#sending;
  }

  /** Takes and sends nothing more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  async #send(): Promise<void> {
    for (let wasRefused = false; ; ) {
      // The count of those that were dropped last has no later event that it could precede.
      if (this.#waiting.length === 0 && !wasRefused && !this.#isClosed) this.#pushDropped();
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      const first = this.#first;
      // Also when they were refused: numbers that may have been stored are not used again.
      this.#first += batch.length;
      wasRefused = false;
      await this.#deliver(first, batch).catch(() => {
        wasRefused = true;
        this.#dropped += batch.length;
      });
    }
  }

  #takeBatch(): readonly DatedEvent[] {
    let count = 0;
    for (let characters = 0; count < this.#waiting.length && count < MAX_IN_REPORT; count++) {
      characters += this.#waiting[count]?.characters ?? 0;
      if (count > 0 && characters > MAX_CHARACTERS_IN_REPORT) break;
    }
    const batch = this.#waiting.splice(0, count);
    for (const { characters } of batch) this.#characters -= characters;
    return batch.map(({ event }) => event);
  }

  /** Models stream pieces of a few characters; longer ones are as good for a reader. */
  #joinLast(event: ReportedEvent): boolean {
    const last = this.#waiting.at(-1);
    if (last === undefined || !isTextEvent(event) || !isTextEvent(last.event)) return false;
    const { step, text } = event.data;
    const before = last.event.data;
    if (last.event.type !== event.type || before.step !== step || last.characters > MAX_CHARACTERS)
      return false;
    const joined: TextEvent = { type: event.type, data: { step, text: before.text + text } };
    this.#waiting.pop();
    this.#characters -= last.characters;
    this.#waiting.push(this.#weighed(joined, last.event.at));
    return true;
  }

  #push(event: ReportedEvent): void {
    const isFull = this.#waiting.length >= MAX_WAITING || this.#characters >= MAX_CHARACTERS_WAITING;
    if (isFull) {
      this.#dropped++;
      return;
    }
    this.#pushDropped();
    this.#waiting.push(this.#weighed(event));
  }

  #pushDropped(): void {
    if (this.#dropped === 0) return;
    this.#waiting.push(this.#weighed({ type: "events_dropped", data: { count: this.#dropped } }));
    this.#dropped = 0;
  }

  #weighed(event: ReportedEvent, at = performance.now()): Waiting {
    const characters = isTextEvent(event)
      ? event.data.text.length
      : storableJson(event.data, "the event").length;
    this.#characters += characters;
    return { event: { ...event, at }, characters };
  }
}

/** A long text is split into several events. */
function splitEvent(event: ReportedEvent): readonly ReportedEvent[] {
  if (!isTextEvent(event) || event.data.text.length <= MAX_CHARACTERS) return [event];
  const { step, text } = event.data;
  const pieces: ReportedEvent[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start + MAX_CHARACTERS;
    // Not through the middle of a character.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end--;
    pieces.push({ type: event.type, data: { step, text: text.slice(start, end) } });
    start = end;
  }
  return pieces;
}
