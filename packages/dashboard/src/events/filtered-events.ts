import type { RunEvent } from "@tenterhook/protocol/runs";
import type { LogView } from "./event-log.ts";

type Matches = (event: RunEvent) => boolean;

/** The events of a log that match a filter. Only events that were added since the last time are compared with it. */
export class FilteredEvents {
  #matches: Matches | undefined;
  #order = -1;
  /** The position after the last event that was compared. */
  #end = 0;
  #found: readonly RunEvent[] = [];
  /** The positions of the found events in the log. */
  #positions: readonly number[] = [];

  /** Returns the same array as before if it has the same events. */
  apply({ events, dropped, order }: Pick<LogView, "events" | "dropped" | "order">, matches: Matches) {
    if (matches !== this.#matches || order !== this.#order) this.#restart(matches, order);
    const first = Math.max(0, this.#end - dropped);
    const [added, positions]: [RunEvent[], number[]] = [[], []];
    for (const [index, event] of events.slice(first).entries()) {
      if (!matches(event)) continue;
      added.push(event);
      positions.push(dropped + first + index);
    }
    this.#end = dropped + events.length;
    const kept = this.#positions.findIndex((position) => position >= dropped);
    const gone = kept === -1 ? this.#positions.length : kept;
    if (gone > 0 || added.length > 0) {
      this.#found = [...this.#found.slice(gone), ...added];
      this.#positions = [...this.#positions.slice(gone), ...positions];
    }
    return this.#found;
  }

  #restart(matches: Matches, order: number): void {
    this.#matches = matches;
    this.#order = order;
    this.#end = 0;
    this.#found = [];
    this.#positions = [];
  }
}
