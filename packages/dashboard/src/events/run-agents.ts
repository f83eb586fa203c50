import { isKnownEvent, type RunEvent } from "@tenterhook/protocol/runs";

/** As many as can be asked for at once. */
const MOST_AT_ONCE = 200;

/** Which agent each run is of. A run's first event says it; of runs that began earlier, the coordinator is asked. */
export class RunAgents {
  readonly #names = new Map<string, string>();
  readonly #asked = new Set<string>();
  readonly #read: (runIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  #asking: Promise<boolean> | undefined;

  /** `read` may fail; then what it was asked for stays unknown. */
  constructor(read: (runIds: readonly string[]) => Promise<ReadonlyMap<string, string>>) {
    this.#read = read;
  }

  readonly of = (runId: string): string | undefined => this.#names.get(runId);

  /** Learns from events. Resolves to whether something has become known that could not be told at once. */
  learn(events: readonly RunEvent[]): Promise<boolean> {
    for (const event of events) {
      if (!isKnownEvent(event) || event.event_type !== "run_created" || event.run_id === null) continue;
      this.#names.set(event.run_id, event.agent_name);
    }
    const unknown = new Set(
      events.flatMap(({ run_id }) =>
        run_id === null || this.#names.has(run_id) || this.#asked.has(run_id) ? [] : [run_id],
      ),
    );
    if (unknown.size === 0) return Promise.resolve(false);
    for (const id of unknown) this.#asked.add(id);
    const before = this.#asking ?? Promise.resolve(false);
    this.#asking = before.then(() => this.#ask([...unknown]));
    return this.#asking;
  }

  async #ask(ids: readonly string[]): Promise<boolean> {
    let isAny = false;
    for (let first = 0; first < ids.length; first += MOST_AT_ONCE) {
      const found = await this.#read(ids.slice(first, first + MOST_AT_ONCE)).catch(
        () => new Map<string, string>(),
      );
      for (const [id, name] of found) this.#names.set(id, name);
      isAny ||= found.size > 0;
    }
    return isAny;
  }
}
