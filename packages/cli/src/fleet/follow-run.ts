import type { RunEvent, RunEventsPage } from "@tenterhook/protocol/runs";
import { Latch } from "@tenterhook/protocol/support";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { type FollowOptions, followEvents, isConnectionLost } from "./event-stream.ts";

/** What ends a run; what its finish hooks do comes behind. */
const LAST = new Set(["run_completed", "run_failed", "run_stopped"]);

/** How long to go without looking when the stream is silent: it is a wake-up, and one may be lost. */
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
 * The events of one run, from its first to the one that ends it, each once and in order. They are read from the store by
 * their numbers; the stream only tells when it is worth looking. A coordinator that is away is waited for.
 */
export async function* followRun(
  client: CoordinatorClient,
  runId: string,
  { signal, onConnection }: Pick<FollowOptions, "signal" | "onConnection">,
): AsyncGenerator<RunEvent> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  signal.addEventListener("abort", leave);
  const latch = new Latch();
  const listening = listen(client, runId, latch, leaving.signal);
  let last = 0;
  let isLost = false;
  try {
    while (!signal.aborted) {
      try {
        for await (const event of storedEvents(client, runId, last)) {
          last = event.number ?? last;
          yield event;
          if (LAST.has(event.event_type)) return;
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
    signal.removeEventListener("abort", leave);
    leave();
    await listening;
  }
}

/** Looking every now and then is enough where the stream cannot be had. */
async function listen(
  client: CoordinatorClient,
  runId: string,
  latch: Latch,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of followEvents(client, { filters: { run_id: runId }, signal })) latch.set();
  } catch {
    // What is wrong with the coordinator is told by the one who reads.
  }
}
