import { Latch, linkedController } from "@tenterhook/internal";
import type { RunEvent, RunEventsPage } from "@tenterhook/protocol/runs";
import { type FollowOptions, followEvents, isConnectionLost } from "./follow-events.ts";
import type { HttpClient } from "./http-client.ts";

/** The events that end a run; only events of its finish hooks may follow. */
const FINAL_EVENTS = new Set(["run_completed", "run_failed", "run_stopped"]);

/** The polling interval while the stream is silent: the stream only wakes the reader, and a wake-up may be lost. */
const POLL_MS = 2_000;

const PAGE_SIZE = 200;

/** Where the events of a run begin. */
export interface RunEventsOptions extends Pick<FollowOptions, "signal" | "onConnection"> {
  /** The number of the event to start after. Default 0: the first event comes first. */
  readonly after?: number | undefined;
}

/** The events of one run as they are stored, in order. */
export async function* readStoredEvents(
  client: HttpClient,
  id: string,
  { after = 0, signal }: RunEventsOptions = {},
): AsyncGenerator<RunEvent> {
  let next: number | null = after;
  while (next !== null) {
    const page: RunEventsPage = await client.send("GET /runs/{id}/events", {
      params: { id },
      query: { after: next, limit: PAGE_SIZE },
      signal,
    });
    yield* page.events;
    next = page.next_after;
  }
}

/**
 * The events of one run until it ends, in order and without duplicates. They are read by their numbers; the stream only triggers
 * reading. While the coordinator is unreachable, this waits.
 */
export async function* followRun(
  client: HttpClient,
  id: string,
  { after = 0, signal, onConnection }: RunEventsOptions = {},
): AsyncGenerator<RunEvent> {
  const { controller, release } = linkedController(signal);
  const latch = new Latch();
  const listening = listen(client, id, latch, controller.signal);
  let last = after;
  let isLost = false;
  try {
    while (!signal?.aborted) {
      try {
        for await (const event of readStoredEvents(client, id, { after: last, signal })) {
          last = event.number ?? last;
          yield event;
          if (FINAL_EVENTS.has(event.event_type)) return;
        }
        if (isLost) onConnection?.("back");
        isLost = false;
      } catch (error) {
        if (signal?.aborted) return;
        if (!isConnectionLost(error)) throw error;
        if (!isLost) onConnection?.("lost");
        isLost = true;
      }
      await latch.wait(POLL_MS, signal);
    }
  } finally {
    release();
    controller.abort();
    await listening;
  }
}

/** If the stream cannot be opened, polling is enough. */
async function listen(client: HttpClient, id: string, latch: Latch, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of followEvents(client, { filters: { run_id: id }, signal })) latch.set();
  } catch {
    // The reader reports errors of the coordinator.
  }
}
