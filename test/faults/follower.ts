import { CHAINED } from "./agents.ts";
import type { Moments } from "./moments.ts";

/** An event as a subscriber sees it. */
export interface SeenEvent {
  readonly event_type: string;
  readonly run_id: string | null;
  readonly number: number | null;
  readonly [field: string]: unknown;
}

/** Where to ask. */
export interface Door {
  readonly url: string;
  readonly token: string;
}

const ENDS = new Set(["run_completed", "run_failed", "run_stopped"]);
const HOOK_ENDS = new Set(["hook_complete", "hook_failed"]);

/** Somebody who follows all events, and comes back with `Last-Event-ID` whenever the connection breaks. */
export class Follower {
  /** What of every run was told, in the order in which it was. */
  readonly seen = new Map<string, SeenEvent[]>();
  /** What should not have been told so. */
  readonly problems: string[] = [];
  readonly #doors: readonly Door[];
  readonly #moments: Moments;
  readonly #closing = new AbortController();
  readonly #following: Promise<void>;
  #lastId = "0-0";
  #connections = 0;

  constructor(doors: readonly Door[], moments: Moments) {
    this.#doors = doors;
    this.#moments = moments;
    this.#following = this.#follow();
  }

  /** The runs of which there is more to come, as far as was told. */
  get open(): readonly string[] {
    return [...this.seen].flatMap(([id, events]) => (isOver(events) ? [] : [id]));
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
        // It was cut off, or nobody is there. Subscribers wait a moment before they come back.
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    // Each time another one: what one coordinator has told, the next must not tell again.
    const door = this.#doors[this.#connections++ % this.#doors.length];
    if (door === undefined) throw new Error("nobody is there");
    const headers = { authorization: `Bearer ${door.token}`, "last-event-id": this.#lastId };
    const answer = await fetch(new URL("/events", door.url), { headers, signal });
    if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`);
    let unread = "";
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (unread + text).split("\n\n");
      unread = blocks.pop() ?? "";
      for (const block of blocks) this.#read(block);
    }
  }

  #read(block: string): void {
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
      }),
    );
    this.#lastId = fields.get("id") ?? this.#lastId;
    if (fields.has("event")) this.problems.push(`there was a ${fields.get("event")}`);
    else if (fields.has("data")) this.#take(JSON.parse(fields.get("data") ?? "") as SeenEvent);
  }

  #take(event: SeenEvent): void {
    const { run_id, number, event_type } = event;
    if (run_id === null) return;
    const events = this.seen.get(run_id) ?? [];
    this.seen.set(run_id, events);
    const due = (events.at(-1)?.number ?? 0) + 1;
    if (number !== due)
      this.problems.push(`${run_id}: number ${number} (${event_type}) came where ${due} was due`);
    events.push(event);
    this.#moments.tell("event", run_id);
    this.#moments.tell(event_type, run_id);
    if (event_type !== "run_claimed") return;
    const isOfHook = events[0]?.kind === "hook";
    this.#moments.tell(isOfHook ? "hook_claimed" : "work_claimed", String(event.runner_id));
  }
}

function isOver(events: readonly SeenEvent[]): boolean {
  const end = events.findIndex(({ event_type }) => ENDS.has(event_type));
  const isChained = events[0]?.kind === "client" && CHAINED.has(events[0].agent_name);
  return end >= 0 && (!isChained || events.slice(end).some(({ event_type }) => HOOK_ENDS.has(event_type)));
}
