import type { Message } from "@tenterhook/protocol";

/** A change of a conversation: added messages, or a replacement of all of them. */
export type TranscriptEntry =
  | { readonly type: "messages"; readonly messages: readonly Message[] }
  | { readonly type: "replaced"; readonly messages: readonly Message[] };

/**
 * Stores conversations by session. `append` is called after every step, so that a crash loses at most the current step; its errors
 * fail the turn.
 */
export interface SessionStore {
  /** The conversation; `undefined` if the session does not exist. */
  load(sessionId: string): Promise<readonly Message[] | undefined>;
  append(sessionId: string, entries: readonly TranscriptEntry[]): Promise<void>;
  /** Deletes a session, if it exists. */
  delete(sessionId: string): Promise<void>;
}

/** The conversation after all entries. */
export function foldTranscript(entries: Iterable<TranscriptEntry>): Message[] {
  let messages: Message[] = [];
  for (const entry of entries) {
    messages = entry.type === "replaced" ? [...entry.messages] : messages.concat(entry.messages);
  }
  return messages;
}
