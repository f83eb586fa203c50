import { isRecord } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import type { CallVerdict } from "../decide/call-verdict.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { Encoded } from "./encode.ts";
import { encodeWithNotes } from "./encode-with-notes.ts";

/** A verdict in the format of the client that called, with the notes of its session. */
export function encodeFor(
  { native, location }: OpenCall,
  verdict: CallVerdict,
  event: EventName | undefined,
): Encoded {
  const mode = native.values.permissionMode;
  const input = native.values.toolInput;
  return encodeWithNotes(
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
