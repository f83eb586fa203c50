import { Backoff, pause } from "@tenterhook/internal";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { type CoordinatorClient, Unreachable } from "./coordinator-client.ts";
import { type Message, messagesOf } from "./sse.ts";

const RECONNECT = { firstMs: 500, mostMs: 10_000 };
/** Coordinators send a comment every 15 s. A connection that is silent for this long is dead. */
const MAX_SILENCE_MS = 50_000;

export interface FollowOptions {
  readonly filters?: Readonly<Record<string, string | undefined>>;
  /** The cursor to start after; default: now. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  readonly silenceMs?: number;
  /** Called when the connection is lost and when it is restored. */
  readonly onConnection?: (state: "lost" | "back") => void;
  /** Called when events after the cursor have been deleted. */
  readonly onReset?: () => void;
}

/**
 * The events of a coordinator as they happen, until the signal fires. A lost connection is reopened after the last event, so no
 * event is missed or repeated. Rejects when the coordinator refuses.
 */
export async function* followEvents(
  client: CoordinatorClient,
  following: FollowOptions,
): AsyncGenerator<RunEvent> {
  const { filters, signal, onConnection, onReset, silenceMs = MAX_SILENCE_MS } = following;
  let last = following.after;
  const backoff = new Backoff(RECONNECT);
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
      backoff.reset();
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
    await pause(backoff.nextMs(), signal);
  }
}

function* eventOf({ event, data }: Message): Generator<RunEvent> {
  if (event === "message" && data !== "") yield JSON.parse(data) as RunEvent;
}

/** Whether a retry may succeed. An interrupted response is a `TypeError` of fetch. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof TypeError;
}
