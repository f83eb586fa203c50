import type { RunEvent } from "@tenterhook/protocol/runs";

/** `lost`: the coordinator does not respond. Events of that time arrive after reconnecting. */
export type LiveState = "connecting" | "live" | "lost";

/**
 * What a stream reports, in order. `gap`: events were missed, so anything that was read may be stale. `refused`: the
 * coordinator does not let this user read events.
 */
export type StreamReport =
  | { readonly type: "state"; readonly state: LiveState }
  | { readonly type: "events"; readonly events: readonly RunEvent[] }
  | { readonly type: "gap" }
  | { readonly type: "refused" };

/** Events of this period are sent to the tabs together, which hand them on frame by frame. */
const BATCH_MS = 50;

/** Pages are read after the stream has begun, but they do not wait longer than this for it. */
const OPEN_MS = 5_000;

/** A browser does not reopen a stream that was refused; this does. */
const REOPEN_MS = 2_000;

/**
 * The coordinator's events over one connection, each event once.
 *
 *     connecting ── live ── lost ── live …
 */
export class EventStream {
  readonly #report: (report: StreamReport) => void;
  #source: EventSource | undefined;
  #state: LiveState = "connecting";
  #lastId: string | undefined;
  #batch: RunEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  readonly #opening: ReturnType<typeof setTimeout>;

  constructor(report: (report: StreamReport) => void) {
    this.#report = report;
    this.#open();
    this.#opening = setTimeout(() => this.#state === "connecting" && this.#setState("lost"), OPEN_MS);
  }

  get state(): LiveState {
    return this.#state;
  }

  close(): void {
    this.#source?.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#reopening);
    clearTimeout(this.#opening);
  }

  #open(): void {
    const source = new EventSource(this.#lastId === undefined ? "/events" : `/events?after=${this.#lastId}`);
    this.#source = source;
    source.addEventListener("open", () => {
      const isReconnected = this.#state === "lost";
      this.#setState("live");
      // Runners come and go without an event.
      if (isReconnected) this.#report({ type: "gap" });
    });
    source.addEventListener("message", ({ data, lastEventId }) => {
      this.#lastId = lastEventId;
      this.#batch.push(JSON.parse(data));
      this.#timer ??= setTimeout(() => this.#deliver(), BATCH_MS);
    });
    source.addEventListener("reset", ({ lastEventId }) => {
      this.#lastId = lastEventId;
      this.#report({ type: "gap" });
    });
    source.addEventListener("error", () => {
      this.#setState("lost");
      if (source.readyState !== EventSource.CLOSED) return;
      this.#report({ type: "refused" });
      clearTimeout(this.#reopening);
      this.#reopening = setTimeout(() => this.#open(), REOPEN_MS);
    });
  }

  #deliver(): void {
    this.#timer = undefined;
    const events = this.#batch;
    this.#batch = [];
    this.#report({ type: "events", events });
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#report({ type: "state", state });
  }
}
