import type { BridgeSession } from "../../session/bridge-session.ts";
import type { NativePayload } from "../read/native-call.ts";
import type { Translated } from "../translate/translate.ts";

/** Some clients report a refused call as a failed one. This sets the status `blocked` on it. */
export function withBlockedStatus(
  session: BridgeSession,
  native: NativePayload,
  translated: Translated,
): Translated {
  const id = native.values.toolUseId;
  const isFailure = translated.steps.some(({ event }) => event === "after_tool_failure");
  if (!native.client.reportsBlockedTools || !isFailure || typeof id !== "string") return translated;
  if (!session.wasBlocked(id)) return translated;
  const steps = translated.steps.map((step) => ({
    ...step,
    payload: { ...step.payload, status: "blocked" } as never,
  }));
  return { ...translated, steps };
}
