import type { BridgeSession } from "../../session/bridge-session.ts";
import type { Verdict } from "../decide/verdict.ts";
import { type Lowered, type LoweredEvent, lower, powersOf } from "./lower.ts";

/**
 * Translates a verdict together with the notes that wait in the session; the person sees each once. A note that this event cannot show
 * waits for one that can. One that only a terminal shows is repeated at an event that shows it everywhere, if the client has such.
 */
export function lowerWithNotes(session: BridgeSession, at: LoweredEvent, verdict: Verdict): Lowered {
  const { note } = powersOf(at);
  const fresh = [...new Set(verdict.notes)].filter((text) => session.isNewNote(text));
  const waiting = note === undefined ? [] : session.takeNotes("notes-unseen");
  const repeated = note?.seen === "everywhere" ? session.takeNotes("notes-on-terminal") : [];
  const notes = [...new Set([...repeated, ...waiting, ...fresh])];
  const lowered = lower(at, { ...verdict, notes });
  const { keptNotes = [], shownNotes = [] } = lowered;
  const isKept = keptNotes.map(
    (text) => (!notes.includes(text) && !session.isNewNote(text)) || session.keepNote(text, "notes-unseen"),
  );
  if (note?.seen === "terminal" && showsEverywhere(at))
    for (const text of shownNotes) session.keepNote(text, "notes-on-terminal");
  return isKept.every(Boolean) ? { ...lowered, keptNotes: [] } : lowered;
}

function showsEverywhere({ client }: LoweredEvent): boolean {
  return Object.values(client.events).some((native) => powersOf({ native }).note?.seen === "everywhere");
}
