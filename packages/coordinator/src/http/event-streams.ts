import type { ServerResponse } from "node:http";
import type { EventFilter } from "../events/event-filter.ts";
import { EventHub } from "../events/event-hub.ts";
import type { Cursor, EventFeed } from "../events/feed.ts";
import { Problem } from "../problem.ts";
import { EventStream } from "./event-stream.ts";

/** Shorter than the idle timeout of proxies. */
const BEAT_MS = 15_000;
/** A subscriber that reads nothing for so long counts as disconnected. */
const STALLED_MS = 30_000;

/** The clients of the event stream of this coordinator. */
export class EventStreams {
  readonly #feed: EventFeed;
  readonly #hub: EventHub;
  readonly #most: number;
  readonly #stalledMs: number;
  readonly #streams = new Set<EventStream>();
  readonly #beat: NodeJS.Timeout;
  #dropped = 0;

  constructor(feed: EventFeed, most: number, stalledMs = STALLED_MS) {
    this.#feed = feed;
    this.#hub = new EventHub(feed);
    this.#most = most;
    this.#stalledMs = stalledMs;
    this.#beat = setInterval(() => this.#hub.beat(), BEAT_MS);
    this.#beat.unref();
  }

  /** The number of clients. */
  get count(): number {
    return this.#streams.size;
  }

  /** How many were disconnected because they were too slow. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Streams events to a client until it disconnects. `watch` calls its argument when the client may no longer read. */
  async follow(
    outgoing: ServerResponse,
    filter: EventFilter,
    after: Cursor | undefined,
    watch: (ended: () => void) => () => void,
  ): Promise<void> {
    if (this.#streams.size >= this.#most) {
      throw new Problem("unavailable", "too many clients follow the events here already", {
        hint: "Try again in a moment, at another coordinator if there is one.",
      });
    }
    // A client that has disconnected already does not close again, and would never be removed.
    if (outgoing.destroyed) return;
    const dropped = () => {
      this.#dropped += 1;
    };
    const stream = new EventStream(outgoing, this.#hub, this.#feed, {
      filter,
      dropped,
      stalledMs: this.#stalledMs,
    });
    this.#streams.add(stream);
    const unwatch = watch(() => stream.end());
    outgoing.once("close", () => {
      unwatch();
      this.#streams.delete(stream);
    });
    try {
      await stream.follow(after);
    } catch (error) {
      // The stream has begun, so it can only be ended. The client reconnects.
      outgoing.destroy();
      throw error;
    }
  }

  close(): void {
    clearInterval(this.#beat);
    this.#hub.close();
    for (const stream of this.#streams) stream.end();
  }
}
