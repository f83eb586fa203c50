import type { BridgeSession } from "../../session/bridge-session.ts";
import { field, type NativePayload } from "../read/native-call.ts";
import type { Normalised } from "../translate/steps.ts";

/** Some clients report a refused call as a failed one. This sets the status `blocked` on it. */
export function withBlockedStatus(
  session: BridgeSession,
  native: NativePayload,
  normalised: Normalised,
): Normalised {
  const id = field(native, "toolUseId");
  const isFailure = normalised.steps.some(({ event }) => event === "after_tool_failure");
  if (!native.client.reportsBlockedTools || !isFailure || typeof id !== "string") return normalised;
  if (!session.wasBlocked(id)) return normalised;
  const steps = normalised.steps.map((step) => ({
    ...step,
    payload: { ...step.payload, status: "blocked" } as never,
  }));
  return { ...normalised, steps };
}
