import { eventRow } from "@tenterhook/protocol";
import { type EncodedEvent, encode } from "../call/encode/encode.ts";
import type { Client } from "../definition/client.ts";
import type { NativeEvent } from "../definition/events.ts";
import { installedEvents } from "./entry.ts";

/** The native answers to an event when the bridge cannot run, or did not finish. */
export interface FallbackAnswer {
  readonly client: string;
  readonly event: string;
  /** Tenterhook's events whose guards decide; empty where the client cannot refuse. */
  readonly events: readonly string[];
  /** What refuses. */
  readonly refusal: { readonly stdout: string; readonly exit: 0 | 2 };
  /** What lets the action pass, with a message in the client's own form where it has one. */
  readonly notice: { readonly stdout: string; readonly exit: 0 | 2 };
  /** Variables with the project's folder. */
  readonly project: readonly string[];
}

export const CANNOT_RUN =
  "this was not checked, because Tenterhook cannot run here, and a guard that must not be passed over may concern it; a person must run: npx tenterhook install";

export const NOT_CHECKED =
  "Tenterhook cannot run here, so this passed without being checked by any hook; a person must run: npx tenterhook install";

/** The answers of all clients, by event. */
export function fallbackAnswers(clients: readonly Client[]): readonly FallbackAnswer[] {
  return clients.flatMap((client) =>
    installedEvents(client).map(([event, native]) => answerFor(client, event, native)),
  );
}

function answerFor(client: Client, event: string, native: NativeEvent): FallbackAnswer {
  const refusable = native.events.filter((name) => eventRow(name).failure.action === "refuse");
  const [first = refusable[0] ?? "on_error"] = native.events;
  const call: EncodedEvent = { client, eventName: event, native, event: refusable[0] ?? first };
  const { answer, kind } = encode(call, { type: "block", reason: CANNOT_RUN, context: [], notes: [] });
  const canRefuse = refusable.length > 0 && kind === "block";
  const passed = encode(call, { type: "proceed", context: [], notes: [NOT_CHECKED] }).answer;
  return {
    client: client.id,
    event,
    events: canRefuse ? refusable : [],
    refusal: canRefuse ? { stdout: answer.stdout.trimEnd(), exit: answer.exit } : { stdout: "", exit: 0 },
    notice: { stdout: passed.stdout.trimEnd() || (client.emptyAnswer ?? ""), exit: passed.exit },
    project: client.environment.project,
  };
}
