import type { Decided } from "../decide/decide.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { Encoded } from "./encode.ts";
import { encodeFor } from "./encode-for.ts";

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
