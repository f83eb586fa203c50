import type { EventName } from "@tenterhook/protocol";
import { contentText } from "../read/content-text.ts";
import type { OpenCall } from "../read/open-call.ts";
import { isRefusable } from "./detached-events.ts";

/** What earlier events of a session mean for a call. */
export type Earlier =
  | { readonly type: "none" }
  /** The client reports the reason of a stop gate as a prompt: it is not one. */
  | { readonly type: "feedback" }
  /** A refusal of an event that could not be refused applies to the next one that can. */
  | { readonly type: "refused"; readonly event: EventName; readonly reason: string };

/** Finds a refusal that applies to this call. A prompt begins a turn, and ends the refusals of the one before. */
export function findEarlierRefusal(open: OpenCall): Earlier {
  const { event } = open.native;
  const { session } = open.location;
  if (event.events.includes("before_agent")) {
    if (session.isFeedback(contentText(open.native.values.prompt) ?? "")) return { type: "feedback" };
    session.beginTurn();
  }
  const refusable = event.events.find((name) => name === "before_tool" || name === "before_agent");
  if (refusable === undefined || !isRefusable(event)) return { type: "none" };
  const { refusal } = session;
  return refusal === undefined
    ? { type: "none" }
    : { type: "refused", event: refusable, reason: refusal.reason };
}
