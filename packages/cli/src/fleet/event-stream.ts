import { setTimeout as pause } from "node:timers/promises";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { type CoordinatorClient, Unreachable } from "./coordinator-client.ts";
import { type Message, messagesOf } from "./sse.ts";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** Coordinators write a comment every 15 s. A connection without any for so long is dead, also when nothing has ended it. */
const MAX_SILENCE_MS = 50_000;

export interface FollowOptions {
  readonly filters?: Readonly<Record<string, string | undefined>>;
  /** Where to begin; without it, now. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  readonly silenceMs?: number;
  /** Told when the connection is lost, and when it is back. */
  readonly onConnection?: (state: "lost" | "back") => void;
  /** Told when events between the last one and the next have been cleared away. */
  readonly onReset?: () => void;
}

/**
 * The events of a coordinator as they happen, until the signal fires. A connection that is lost is made again from the last
 * event that came, so nothing is missed and nothing comes twice. Rejects when the coordinator refuses.
 */
export async function* followEvents(
  client: CoordinatorClient,
  following: FollowOptions,
): AsyncGenerator<RunEvent> {
  const { filters, signal, onConnection, onReset, silenceMs = MAX_SILENCE_MS } = following;
  let last = following.after;
  let pauseMs = FIRST_PAUSE_MS;
  let isLost = false;
  while (!signal.aborted) {
    try {
      const response = await client.request("GET", "/events", {
        ...(filters !== undefined && { query: filters }),
        headers: { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) },
        signal,
      });
      if (isLost) onConnection?.("back");
      isLost = false;
      pauseMs = FIRST_PAUSE_MS;
      for await (const message of messagesOf(response, { signal, silenceMs })) {
        last = message.id ?? last;
        if (message.event === "reset") onReset?.();
        else yield* eventOf(message);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isConnectionLost(error)) throw error;
    }
    if (signal.aborted) return;
    if (!isLost) onConnection?.("lost");
    isLost = true;
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  }
}

function* eventOf({ event, data }: Message): Generator<RunEvent> {
  if (event === "message" && data !== "") yield JSON.parse(data) as RunEvent;
}

/** Whether it may be worth another try. An answer that breaks off in the middle is a `TypeError` of fetch. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof TypeError;
}
