import type { SessionStore, TranscriptEntry } from "@tenterhook/agent";

/**
 * The conversation of a session during one run. What the run adds is kept back until it has ended here: a run that was
 * lost halfway is perhaps tried again, and must not find its own half in the conversation.
 */
export class RunHistory implements SessionStore {
  readonly #store: SessionStore;
  readonly #name: string;
  #added: TranscriptEntry[] = [];

  /** `name` is what the session is called in the store. */
  constructor(store: SessionStore, name: string) {
    this.#store = store;
    this.#name = name;
  }

  load(): ReturnType<SessionStore["load"]> {
    return this.#store.load(this.#name);
  }

  async append(_sessionId: string, entries: readonly TranscriptEntry[]): Promise<void> {
    this.#added.push(...entries);
  }

  async delete(): Promise<void> {
    this.#added = [];
    await this.#store.delete(this.#name);
  }

  /** Stores what was added. */
  async keep(): Promise<void> {
    const entries = this.#added;
    this.#added = [];
    if (entries.length > 0) await this.#store.append(this.#name, entries);
  }
}
