import type { Client } from "../../definition/client.ts";
import type { NativeEvent } from "../../definition/events.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { Plan } from "./plan-file.ts";

const DEFERRED = ["session_start", "before_agent"] as const;

/** Whether a client goes on before hooks have answered an event whose refusal applies to what follows. */
export function isDetached({ waits, events }: NativeEvent): boolean {
  return waits === false && DEFERRED.some((name) => events.includes(name));
}

/** A client's events of that kind, by name. */
export function detachedEvents({ events }: Client): readonly (readonly [string, NativeEvent])[] {
  return Object.entries(events).filter(([, event]) => isDetached(event));
}

/** Whether a refusal of an earlier event can be applied at this one. */
export function isRefusable({ waits, events, capabilities }: NativeEvent): boolean {
  const isBefore = events.some((name) => name === "before_tool" || name === "before_agent");
  return isBefore && waits !== false && capabilities.block !== undefined;
}

/** Whether a hook is waited for at an event of that kind; yes, if that is not known. */
export function hasDetachedHooks({ native }: OpenCall, plan: Plan | undefined): boolean {
  const detached = isDetached(native.event)
    ? [native.event]
    : detachedEvents(native.client).map(([, event]) => event);
  if (detached.length === 0) return false;
  const events = detached.flatMap((event) => event.events);
  return plan === undefined || events.some((name) => plan.hooks[name]?.some(({ mode }) => mode === "sync"));
}
