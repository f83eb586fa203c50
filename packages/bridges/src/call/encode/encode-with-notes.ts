import type { BridgeSession } from "../../session/bridge-session.ts";
import type { CallVerdict } from "../decide/call-verdict.ts";
import { type Encoded, type EncodedEvent, encode, honouredCapabilities } from "./encode.ts";

/**
 * Encodes a verdict together with the notes that wait in the session; the person sees each once. A note that this event cannot show
 * waits for one that can. One that only a terminal shows is repeated at an event that shows it everywhere, if the client has such.
 */
export function encodeWithNotes(session: BridgeSession, at: EncodedEvent, verdict: CallVerdict): Encoded {
  const { note } = honouredCapabilities(at);
  const fresh = [...new Set(verdict.notes)].filter((text) => session.isNewNote(text));
  const waiting = note === undefined ? [] : session.takeNotes("notes-unseen");
  const repeated = note?.seen === "everywhere" ? session.takeNotes("notes-on-terminal") : [];
  const notes = [...new Set([...repeated, ...waiting, ...fresh])];
  const encoded = encode(at, { ...verdict, notes });
  const { keptNotes = [], shownNotes = [] } = encoded;
  const isKept = keptNotes.map(
    (text) => (!notes.includes(text) && !session.isNewNote(text)) || session.keepNote(text, "notes-unseen"),
  );
  if (note?.seen === "terminal" && showsEverywhere(at))
    for (const text of shownNotes) session.keepNote(text, "notes-on-terminal");
  return isKept.every(Boolean) ? { ...encoded, keptNotes: [] } : encoded;
}

function showsEverywhere({ client }: EncodedEvent): boolean {
  return Object.values(client.events).some(
    (native) => honouredCapabilities({ native }).note?.seen === "everywhere",
  );
}
