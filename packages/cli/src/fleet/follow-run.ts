import { Latch, linkedController } from "@tenterhook/internal";
import type { RunEvent, RunEventsPage } from "@tenterhook/protocol/runs";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { type FollowOptions, followEvents, isConnectionLost } from "./event-stream.ts";

/** The events that end a run; only events of its finish hooks may follow. */
const FINAL_EVENTS = new Set(["run_completed", "run_failed", "run_stopped"]);

/** The polling interval while the stream is silent: the stream only wakes the reader, and a wake-up may be lost. */
const POLL_MS = 2_000;

/** The events of one run as they are stored, in order. */
export async function* storedEvents(
  client: CoordinatorClient,
  runId: string,
  after = 0,
): AsyncGenerator<RunEvent> {
  let next: number | null = after;
  while (next !== null) {
    const page: RunEventsPage = await client.get(`/runs/${runId}/events`, { after: next, limit: 200 });
    yield* page.events;
    next = page.next_after;
  }
}

/**
 * The events of one run, from the first to the last, in order and without duplicates. They are read by their numbers; the
 * stream only triggers reading. While the coordinator is unreachable, this waits.
 */
export async function* followRun(
  client: CoordinatorClient,
  runId: string,
  { signal, onConnection }: Pick<FollowOptions, "signal" | "onConnection">,
): AsyncGenerator<RunEvent> {
  const { controller, release } = linkedController(signal);
  const latch = new Latch();
  const listening = listen(client, runId, latch, controller.signal);
  let last = 0;
  let isLost = false;
  try {
    while (!signal.aborted) {
      try {
        for await (const event of storedEvents(client, runId, last)) {
          last = event.number ?? last;
          yield event;
          if (FINAL_EVENTS.has(event.event_type)) return;
        }
        if (isLost) onConnection?.("back");
        isLost = false;
      } catch (error) {
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
async function listen(
  client: CoordinatorClient,
  runId: string,
  latch: Latch,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of followEvents(client, { filters: { run_id: runId }, signal })) latch.set();
  } catch {
    // The reader reports errors of the coordinator.
  }
}
