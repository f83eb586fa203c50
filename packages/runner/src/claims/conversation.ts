import { type ConversationEntry, storableJson } from "@tenterhook/protocol/runs";
import type { CoordinatorLink, LeaseProof } from "../link/coordinator-link.ts";

/** Repeats a request until it is answered. */
type Retry = <T>(request: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** The most of one report, a little less than the usual limit on bodies. */
const MAX_CHARACTERS = 512_000;

/** The conversation of a run's session. The coordinator stores it, because another runner may have the next run. */
export class Conversation {
  readonly #link: CoordinatorLink;
  readonly #proof: LeaseProof;
  readonly #retry: Retry;

  constructor(link: CoordinatorLink, proof: LeaseProof, retry: Retry) {
    this.#link = link;
    this.#proof = proof;
    this.#retry = retry;
  }

  async read(): Promise<readonly ConversationEntry[]> {
    const entries: ConversationEntry[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      const page = await this.#retry((signal) => this.#link.readConversation(this.#proof, from, signal));
      entries.push(...page.entries);
      after = page.next_after;
    }
    return entries;
  }

  async keep(entries: readonly ConversationEntry[]): Promise<void> {
    let first = 1;
    for (const batch of batchesOf(entries)) {
      const number = first;
      await this.#retry((signal) => this.#link.addToConversation(this.#proof, number, batch, signal));
      first += batch.length;
    }
  }
}

/** Entries in reports of a limited size. A long entry becomes several that mean the same. */
export function* batchesOf(entries: readonly ConversationEntry[]): Generator<readonly ConversationEntry[]> {
  let batch: ConversationEntry[] = [];
  let characters = 0;
  for (const { type, messages } of entries) {
    // Only the first piece of an entry that replaces all earlier ones replaces them.
    let piece: ConversationEntry = { type, messages: [] };
    for (const message of messages) {
      const length = storableJson(message).length;
      if (characters > 0 && characters + length > MAX_CHARACTERS) {
        if (piece.messages.length > 0 || piece.type === "replaced") batch.push(piece);
        yield batch;
        batch = [];
        characters = 0;
        piece = { type: "messages", messages: [] };
      }
      piece.messages.push(message);
      characters += length;
    }
    if (piece.messages.length > 0 || piece.type === "replaced") batch.push(piece);
  }
  if (batch.length > 0) yield batch;
}
