import { snapshot } from "@tenterhook/engine/host";
import type { Message } from "@tenterhook/protocol";
import type { TranscriptEntry } from "../sessions/session-store.ts";

/** The conversation of a run. It is frozen, because hooks and traces keep references to it: what others own is copied. */
export class History {
  #messages: readonly Message[];
  /** Entries that have not been stored yet. */
  #unsaved: TranscriptEntry[] = [];

  constructor(messages: readonly Message[]) {
    this.#messages = snapshot(messages);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  append(...messages: readonly Message[]): void {
    if (messages.length === 0) return;
    const added = messages.map((message) => snapshot(message));
    this.#messages = Object.freeze([...this.#messages, ...added]);
    this.#unsaved.push({ type: "messages", messages: added });
  }

  /** Replaces the conversation: a hook changed it, or it was compacted. */
  replace(messages: readonly Message[]): void {
    if (messages === this.#messages) return;
    this.#messages = snapshot(messages);
    this.#unsaved = [{ type: "replaced", messages: this.#messages }];
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
