import type { Message } from "@tenterhook/protocol";

/** What happened to a conversation: messages were added, or another conversation took its place. */
export type TranscriptEntry =
  | { readonly type: "messages"; readonly messages: readonly Message[] }
  | { readonly type: "replaced"; readonly messages: readonly Message[] };

/**
 * Keeps conversations by session. `append` is called after every step, so that a process that dies loses at most the
 * step it was in; what it rejects with fails the turn.
 */
export interface SessionStore {
  /** The conversation so far; `undefined` when there is no such session. */
  load(sessionId: string): Promise<readonly Message[] | undefined>;
  append(sessionId: string, entries: readonly TranscriptEntry[]): Promise<void>;
  /** Forgets a session; one that does not exist is no error. */
  delete(sessionId: string): Promise<void>;
}

/** The conversation that entries amount to. */
export function foldTranscript(entries: Iterable<TranscriptEntry>): Message[] {
  let messages: Message[] = [];
  for (const entry of entries) {
    messages = entry.type === "replaced" ? [...entry.messages] : messages.concat(entry.messages);
  }
  return messages;
}
