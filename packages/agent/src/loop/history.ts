import type { Message } from "@tenterhook/protocol";
import type { TranscriptEntry } from "../sessions/session-store.ts";

/** The conversation of a run. Its list is immutable, because hooks and traces keep references to it. */
export class History {
  #messages: readonly Message[];
  /** Entries that have not been stored yet. */
  #unsaved: TranscriptEntry[] = [];

  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get last(): Message | undefined {
    return this.#messages.at(-1);
  }

  append(...messages: readonly Message[]): void {
    if (messages.length === 0) return;
    this.#messages = [...this.#messages, ...messages];
    this.#unsaved.push({ type: "messages", messages });
  }

  /** Replaces the conversation: a hook changed it, or it was compacted. */
  replace(messages: readonly Message[]): void {
    if (messages === this.#messages) return;
    this.#messages = messages;
    this.#unsaved = [{ type: "replaced", messages }];
  }

  /** Puts back entries that could not be stored. */
  restoreUnsaved(entries: readonly TranscriptEntry[]): void {
    this.#unsaved = [...entries, ...this.#unsaved];
  }

  takeUnsaved(): readonly TranscriptEntry[] {
    const unsaved = this.#unsaved;
    this.#unsaved = [];
    return unsaved;
  }
}
