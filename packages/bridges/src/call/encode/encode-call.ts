import { isRecord } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import type { BridgeSession } from "../../session/bridge-session.ts";
import type { CallVerdict } from "../decide/call-verdict.ts";
import type { Decided } from "../decide/decide.ts";
import type { OpenCall } from "../read/read-call.ts";
import { type Encoded, type EncodedEvent, encode, honouredCapabilities } from "./encode.ts";

export interface EncodedCall {
  readonly encoded: Encoded;
  /** What later calls should know and could not be stored, for the person. */
  readonly unstored: readonly string[];
}

/** Encodes what was decided about a call, with the context that waited for it, and stores for later calls what the client has no form for. */
export function encodeCall(open: OpenCall, { complete, event }: Decided): EncodedCall {
  const { native, location } = open;
  const waiting = native.event.capabilities.context === undefined ? [] : location.session.takeContext();
  const verdict = { ...complete, context: [...waiting, ...complete.context] };
  const encoded = encodeFor(open, verdict, event);
  const unstored = storeForLater(open, encoded, event);
  if (unstored.length === 0) return { encoded, unstored };
  // What could not be stored is for the person too.
  const notes = [...(encoded.shownNotes ?? []), ...unstored];
  return { encoded: encodeFor(open, { ...verdict, notes }, event), unstored };
}

/** Stores what later calls must know, and returns what could not be stored. */
function storeForLater(
  { native, location: { session, state } }: OpenCall,
  { refusal, keptContext = [], keptNotes = [], kind }: Encoded,
  event: Decided["event"],
): readonly string[] {
  const id = native.values.toolUseId;
  if (kind === "block" && event === "before_tool" && typeof id === "string") session.recordBlocked(id);
  const unstored: string[] = [];
  if (refusal !== undefined && !session.refuse(refusal)) {
    const why =
      native.sessionId === "" ? `${native.client.name} named no session` : `${state} cannot be written to`;
    unstored.push(`${why}, so what follows is not refused: ${refusal.reason}`);
  }
  if (!keptContext.every((text) => session.keepContext(text)))
    unstored.push(`${state} cannot be written to, so what hooks added for the model is lost`);
  return [...unstored, ...keptNotes];
}

/** A verdict in the format of the client that called, with the notes of its session. */
export function encodeFor(open: OpenCall, verdict: CallVerdict, event: EventName | undefined): Encoded {
  return encodeWithNotes(open.location.session, encodedEvent(open, event), verdict);
}

/** The event that a call's verdict is encoded for. */
export function encodedEvent({ call, native }: OpenCall, event: EventName | undefined): EncodedEvent {
  const mode = native.values.permissionMode;
  const input = native.values.toolInput;
  const { unattended } = native.client.environment;
  return {
    client: native.client,
    eventName: native.eventName,
    native: native.event,
    event: event ?? native.event.events[0] ?? "on_error",
    ...(isRecord(input) && { input }),
    ...(typeof mode === "string" && { permissionMode: mode }),
    isUnattended: unattended !== undefined && call.env[unattended.variable] === unattended.value,
  };
}

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
