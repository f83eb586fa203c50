import { isKnownEvent, type RunEvent } from "@tenterhook/protocol/runs";

/** The most ids that one request may contain. */
const MAX_IDS = 200;

/** The agent of each run: from the run's first event, or from the coordinator for runs that started earlier. */
export class RunAgents {
  readonly #names = new Map<string, string>();
  readonly #requested = new Set<string>();
  readonly #read: (runIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  #request: Promise<boolean> | undefined;

  /** If `read` fails, the agents of those runs stay unknown. */
  constructor(read: (runIds: readonly string[]) => Promise<ReadonlyMap<string, string>>) {
    this.#read = read;
  }

  readonly of = (runId: string): string | undefined => this.#names.get(runId);

  /** Takes the agents of the events' runs. Resolves to whether agents were added later, by a request. */
  learn(events: readonly RunEvent[]): Promise<boolean> {
    for (const event of events) {
      if (!isKnownEvent(event) || event.event_type !== "run_created" || event.run_id === null) continue;
      this.#names.set(event.run_id, event.agent_name);
    }
    const unknown = new Set(
      events.flatMap(({ run_id }) =>
        run_id === null || this.#names.has(run_id) || this.#requested.has(run_id) ? [] : [run_id],
      ),
    );
    if (unknown.size === 0) return Promise.resolve(false);
    for (const id of unknown) this.#requested.add(id);
    const before = this.#request ?? Promise.resolve(false);
    this.#request = before.then(() => this.#fetch([...unknown]));
    return this.#request;
  }

  async #fetch(ids: readonly string[]): Promise<boolean> {
    let isAny = false;
    for (let first = 0; first < ids.length; first += MAX_IDS) {
      const found = await this.#read(ids.slice(first, first + MAX_IDS)).catch(
        () => new Map<string, string>(),
      );
      for (const [id, name] of found) this.#names.set(id, name);
      isAny ||= found.size > 0;
    }
    return isAny;
  }
}
