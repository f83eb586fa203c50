import { eventRow } from "@tenterhook/protocol";
import { lower } from "../lower/lower.ts";
import type { Client } from "../shape/client.ts";
import { installedEvents } from "./entry.ts";

/** The native answer that refuses when the bridge cannot run. */
export interface FallbackAnswer {
  readonly client: string;
  readonly event: string;
  /** The events of ours whose guards it stands for. */
  readonly events: readonly string[];
  readonly stdout: string;
  readonly exit: 0 | 2;
  /** Variables with the project's folder. */
  readonly project: readonly string[];
}

export const CANNOT_RUN =
  "this was not judged, because Tenterhook cannot run here, and a guard that must not be passed over may concern it; a person must run: npx tenterhook install";

/** The refusals of the clients, by event; events that a client does not let us refuse have none. */
export function fallbackAnswers(clients: readonly Client[]): readonly FallbackAnswer[] {
  return clients.flatMap((client) =>
    installedEvents(client).flatMap(([event, native]): FallbackAnswer[] => {
      const events = native.events.filter((each) => eventRow(each).failure.action === "refuse");
      const [first] = events;
      if (first === undefined) return [];
      const { answer, kind } = lower(
        { client, eventName: event, native, event: first },
        { type: "block", reason: CANNOT_RUN, context: [], notes: [] },
      );
      if (kind !== "block") return [];
      const { stdout, exit } = answer;
      return [
        {
          client: client.id,
          event,
          events,
          stdout: stdout.trimEnd(),
          exit,
          project: client.environment.project,
        },
      ];
    }),
  );
}
