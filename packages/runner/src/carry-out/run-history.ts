import { foldTranscript, type SessionStore, type TranscriptEntry } from "@tenterhook/agent";
import type { Task } from "./task.ts";

/**
 * The conversation of a session during one run: read from the coordinator, and what the run adds kept back until it has
 * ended here.
 */
export class RunHistory implements SessionStore {
  readonly #task: Task;
  #added: TranscriptEntry[] = [];

  constructor(task: Task) {
    this.#task = task;
  }

  async load(): ReturnType<SessionStore["load"]> {
    // The coordinator passes on what an agent said, and does not read it.
    const entries = (await this.#task.readConversation()) as unknown as readonly TranscriptEntry[];
    return entries.length === 0 ? undefined : foldTranscript(entries);
  }

  async append(_sessionId: string, entries: readonly TranscriptEntry[]): Promise<void> {
    this.#added.push(...entries);
  }

  async delete(): Promise<void> {
    this.#added = [];
  }

  /** Leaves what was added to whoever goes on with the session. */
  async keep(): Promise<void> {
    const entries = this.#added;
    this.#added = [];
    if (entries.length > 0)
      await this.#task.keepConversation(entries as unknown as Parameters<Task["keepConversation"]>[0]);
  }
}
