import { type ConversationEntry, storableJson } from "@tenterhook/protocol/runs";
import type { CoordinatorLink, Hold } from "../link/coordinator-link.ts";

/** Says something until it is answered. */
type Talk = <T>(say: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** The most of one report, a little less than the usual limit on bodies. */
const MOST_LETTERS = 512_000;

/** The conversation of a run's session, which the coordinator keeps: the next run may be another runner's. */
export class Conversation {
  readonly #link: CoordinatorLink;
  readonly #hold: Hold;
  readonly #talk: Talk;

  constructor(link: CoordinatorLink, hold: Hold, talk: Talk) {
    this.#link = link;
    this.#hold = hold;
    this.#talk = talk;
  }

  async read(): Promise<readonly ConversationEntry[]> {
    const entries: ConversationEntry[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      const page = await this.#talk((signal) => this.#link.readConversation(this.#hold, from, signal));
      entries.push(...page.entries);
      after = page.next_after;
    }
    return entries;
  }

  async keep(entries: readonly ConversationEntry[]): Promise<void> {
    let first = 1;
    for (const batch of batchesOf(entries)) {
      const number = first;
      await this.#talk((signal) => this.#link.addToConversation(this.#hold, number, batch, signal));
      first += batch.length;
    }
  }
}

/** Entries in reports of a bearable size. A long one becomes several that mean the same. */
export function* batchesOf(entries: readonly ConversationEntry[]): Generator<readonly ConversationEntry[]> {
  let batch: ConversationEntry[] = [];
  let letters = 0;
  for (const { type, messages } of entries) {
    // Of an entry that takes the place of all before, only the first piece does.
    let piece: ConversationEntry = { type, messages: [] };
    for (const message of messages) {
      const length = storableJson(message).length;
      if (letters > 0 && letters + length > MOST_LETTERS) {
        if (piece.messages.length > 0 || piece.type === "replaced") batch.push(piece);
        yield batch;
        batch = [];
        letters = 0;
        piece = { type: "messages", messages: [] };
      }
      piece.messages.push(message);
      letters += length;
    }
    if (piece.messages.length > 0 || piece.type === "replaced") batch.push(piece);
  }
  if (batch.length > 0) yield batch;
}
