import type { Message } from "@tenterhook/protocol";
import { foldTranscript, type SessionStore, type TranscriptEntry } from "./session-store.ts";

/** Conversations in the memory of the process. */
export function memorySessions(): SessionStore {
  const sessions = new Map<string, readonly Message[]>();
  return {
    load: async (sessionId) => sessions.get(sessionId),
    append: async (sessionId, entries) => {
      const known: TranscriptEntry = { type: "messages", messages: sessions.get(sessionId) ?? [] };
      sessions.set(sessionId, foldTranscript([known, ...entries]));
    },
    delete: async (sessionId) => {
      sessions.delete(sessionId);
    },
  };
}
