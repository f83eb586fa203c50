import type { OpenCall } from "../read/open-call.ts";
import type { Translated } from "../translate/translate.ts";

/** Takes the event for this process; false when another entry of the client's configuration has decided about it. */
export function claimCall({ call, native, location: { session } }: OpenCall, { steps }: Translated): boolean {
  const event = steps[0]?.event;
  const { timestamp: _, ...payload } = native.payload;
  const what = event?.includes("_tool")
    ? (["toolUseId", "toolName", "toolInput"] as const).map((name) => native.values[name])
    : [payload];
  return session.claim(JSON.stringify([event, ...what]), call.entry ?? call.client);
}
