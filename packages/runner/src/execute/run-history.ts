import { foldTranscript, type SessionStore, type TranscriptEntry } from "@tenterhook/agent";
import type { Task } from "./task.ts";

/** The conversation of a session during one run: read from the coordinator; what the run adds is stored when the run has ended. */
export class RunHistory implements SessionStore {
  readonly #task: Task;
  #added: TranscriptEntry[] = [];

  constructor(task: Task) {
    this.#task = task;
  }

  async load(): ReturnType<SessionStore["load"]> {
    // The coordinator stores the entries without reading them.
    const entries = (await this.#task.readConversation()) as unknown as readonly TranscriptEntry[];
    return entries.length === 0 ? undefined : foldTranscript(entries);
  }

  async append(_sessionId: string, entries: readonly TranscriptEntry[]): Promise<void> {
    this.#added.push(...entries);
  }

  async delete(): Promise<void> {
    this.#added = [];
  }

  /** Stores what was added, for the next run of the session. */
  async keep(): Promise<void> {
    const entries = this.#added;
    this.#added = [];
    if (entries.length > 0)
      await this.#task.keepConversation(entries as unknown as Parameters<Task["keepConversation"]>[0]);
  }
}
