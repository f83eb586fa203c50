import { HttpClient, readMessages } from "@tenterhook/client";
import { CHAINED } from "./agents.ts";
import type { Occurrences } from "./occurrences.ts";

/** An event as a subscriber sees it. */
export interface SeenEvent {
  readonly event_type: string;
  readonly run_id: string | null;
  readonly number: number | null;
  readonly [field: string]: unknown;
}

/** The address and the token of a coordinator. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

const ENDS = new Set(["run_completed", "run_failed", "run_stopped"]);
const HOOK_ENDS = new Set(["hook_complete", "hook_failed"]);

/** Follows all events, and reconnects with `Last-Event-ID` when the connection breaks. */
export class Follower {
  /** The received events of every run, in order. */
  readonly seen = new Map<string, SeenEvent[]>();
  /** Gaps, duplicates and unexpected messages. */
  readonly problems: string[] = [];
  readonly #endpoints: readonly Endpoint[];
  readonly #occurrences: Occurrences;
  readonly #closing = new AbortController();
  readonly #following: Promise<void>;
  #lastId = "0-0";
  #connections = 0;

  constructor(endpoints: readonly Endpoint[], occurrences: Occurrences) {
    this.#endpoints = endpoints;
    this.#occurrences = occurrences;
    this.#following = this.#follow();
  }

  /** The runs whose last event has not been received. */
  get open(): readonly string[] {
    return [...this.seen].flatMap(([id, events]) => (hasEnded(events) ? [] : [id]));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#connect(signal);
      } catch {
        // The connection was lost or refused. Subscribers pause before they reconnect.
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    // Each time another coordinator, which must not repeat events.
    const endpoint = this.#endpoints[this.#connections++ % this.#endpoints.length];
    if (endpoint === undefined) throw new Error("there is no coordinator");
    const headers = { "last-event-id": this.#lastId };
    const response = await new HttpClient(endpoint).open("GET /events", { headers, signal });
    for await (const { id, event, data } of readMessages(response, { signal })) {
      this.#lastId = id ?? this.#lastId;
      if (event !== undefined) this.problems.push(`unexpected message ${event}`);
      else if (data !== "") this.#take(JSON.parse(data) as SeenEvent);
    }
  }

  #take(event: SeenEvent): void {
    const { run_id, number, event_type } = event;
    if (run_id === null) return;
    const events = this.seen.get(run_id) ?? [];
    this.seen.set(run_id, events);
    const due = (events.at(-1)?.number ?? 0) + 1;
    if (number !== due)
      this.problems.push(`${run_id}: number ${number} (${event_type}) received, expected ${due}`);
    events.push(event);
    this.#occurrences.record("event", run_id);
    this.#occurrences.record(event_type, run_id);
    if (event_type !== "run_claimed") return;
    const isOfHook = events[0]?.kind === "hook";
    this.#occurrences.record(isOfHook ? "hook_claimed" : "work_claimed", String(event.runner_id));
  }
}

function hasEnded(events: readonly SeenEvent[]): boolean {
  const end = events.findIndex(({ event_type }) => ENDS.has(event_type));
  const isChained = events[0]?.kind === "client" && CHAINED.has(events[0].agent_name);
  return end >= 0 && (!isChained || events.slice(end).some(({ event_type }) => HOOK_ENDS.has(event_type)));
}
