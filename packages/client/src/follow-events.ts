import { Backoff, isRecord, pause } from "@tenterhook/internal";
import type { RunEvent } from "@tenterhook/protocol/runs";
import type { HttpClient } from "./http-client.ts";
import type { Query } from "./operation-input.ts";
import { readMessages } from "./read-messages.ts";
import { isRequestError, RequestError } from "./request-error.ts";

const RECONNECT = { firstMs: 500, mostMs: 10_000 };
/** Coordinators send a comment every 15 s. A connection that is silent for this long is dead. */
const MAX_SILENCE_MS = 50_000;

/** Where a stream of events begins, and what it contains. */
export interface FollowOptions {
  /** Only events of one run, one session, one agent, or of these types, separated by commas. */
  readonly filters?: Omit<Query<"GET /events">, "after"> | undefined;
  /** The id of the event to start after. Default: now. */
  readonly after?: string | undefined;
  /** Ends the stream, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** A connection that is silent for this long is reopened, in milliseconds. Default 50,000. */
  readonly silenceMs?: number | undefined;
  /** Called when the connection is lost and when it is restored. */
  readonly onConnection?: ((state: "lost" | "back") => void) | undefined;
  /** Called when events after the cursor have been deleted. */
  readonly onReset?: (() => void) | undefined;
}

/**
 * The events of a coordinator as they happen, until the signal fires. A lost connection is reopened after the last event, so no
 * event is missed or repeated. Rejects when the coordinator refuses.
 */
export async function* followEvents(
  client: HttpClient,
  { filters, after, signal, silenceMs = MAX_SILENCE_MS, onConnection, onReset }: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  let cursor = after;
  const backoff = new Backoff(RECONNECT);
  let isLost = false;
  while (!signal?.aborted) {
    try {
      const response = await client.open("GET /events", {
        query: filters,
        headers: { accept: "text/event-stream", ...(cursor !== undefined && { "last-event-id": cursor }) },
        signal,
      });
      if (isLost) onConnection?.("back");
      isLost = false;
      backoff.reset();
      for await (const { id, event, data } of readMessages(response, { signal, silenceMs })) {
        cursor = id ?? cursor;
        if (event === "reset") onReset?.();
        else if (event === undefined && data !== "") yield parseEvent(data, response);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isConnectionLost(error)) throw error;
    }
    if (signal?.aborted) return;
    if (!isLost) onConnection?.("lost");
    isLost = true;
    await pause(backoff.nextMs(), signal);
  }
}

function parseEvent(data: string, { status }: Response): RunEvent {
  try {
    const event: unknown = JSON.parse(data);
    // The types are generated from the coordinator's schemas.
    if (isRecord(event)) return event as unknown as RunEvent;
  } catch {
    // It is not an event either.
  }
  throw new RequestError("bad_response", "the stream of events contains data that is not an event", {
    status,
  });
}

/** Whether a retry may succeed. An interrupted body is a `TypeError` of fetch. */
export function isConnectionLost(error: unknown): boolean {
  return isRequestError(error) ? error.isTransient : error instanceof TypeError;
}
