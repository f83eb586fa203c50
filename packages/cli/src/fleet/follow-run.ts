import type { RunEvent, RunEventsPage } from "@tenterhook/protocol/runs";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { followEvents } from "./event-stream.ts";

/** What ends a run; what its finish hooks do comes behind. */
const LAST = new Set(["run_completed", "run_failed", "run_stopped"]);

/** How long to go without looking when the stream is silent: it is a wake-up, and one may be lost. */
const LOOK_EVERY_MS = 2_000;

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
 * their numbers; the stream only tells when it is worth looking.
 */
export async function* followRun(
  client: CoordinatorClient,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const leaving = new AbortController();
  const bell = new Bell();
  const listening = listen(client, runId, bell, AbortSignal.any([signal, leaving.signal]));
  let last = 0;
  try {
    while (!signal.aborted) {
      for await (const event of storedEvents(client, runId, last)) {
        last = event.number ?? last;
        yield event;
        if (LAST.has(event.event_type)) return;
      }
      await bell.rung(LOOK_EVERY_MS, signal);
    }
  } finally {
    leaving.abort();
    await listening;
  }
}

/** Looking every now and then is enough where the stream cannot be had. */
async function listen(
  client: CoordinatorClient,
  runId: string,
  bell: Bell,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of followEvents(client, { filters: { run_id: runId }, signal })) bell.ring();
  } catch {
    // What is wrong with the coordinator is told by the one who reads.
  }
}

/** Something that may ring before anybody waits for it. */
class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  async rung(mostMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasRung && !signal.aborted) {
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(mostMs)]);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        waiting.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    this.#hasRung = false;
  }
}
