import { isRecord } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import type { Verdict } from "../decide/verdict.ts";
import { field } from "../read/native-call.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { Lowered } from "./lower.ts";
import { lowerWithNotes } from "./lower-with-notes.ts";

/** A verdict in the format of the client that called, with the notes of its session. */
export function lowerFor(
  { native, location }: OpenCall,
  verdict: Verdict,
  event: EventName | undefined,
): Lowered {
  const mode = field(native, "permissionMode");
  const input = field(native, "toolInput");
  return lowerWithNotes(
    location.session,
    {
      client: native.client,
      eventName: native.eventName,
      native: native.event,
      event: event ?? native.event.events[0] ?? "on_error",
      ...(isRecord(input) && { input }),
      ...(typeof mode === "string" && { permissionMode: mode }),
    },
    verdict,
  );
}
