import type { RunSummary, RunsPage } from "@tenterhook/protocol/runs";
import { mergeRuns } from "./merge-runs.ts";

/** A list of runs, as far as it was read. */
export interface ReadList {
  /** Whether pages are under way. They replace what is there with what was there when they were asked for. */
  readonly isReading: () => boolean;
  readonly change: (change: (pages: readonly RunsPage[]) => readonly RunsPage[]) => void;
  /** Those of some runs that are in the list now. May reject; it is asked again then. */
  readonly ask: (ids: readonly string[]) => Promise<readonly RunSummary[]>;
}

/** Between two questions. A row that counts its seconds is not looked at more often. */
const ROUND_MS = 250;
/** After a question that was not answered. */
const REST_MS = 2_000;
/** As many as the coordinator answers at once. */
const MOST_AT_ONCE = 200;
/** More than anybody scrolls through; who is so far down while more and more come is not shown the newest until at the top. */
const MOST_ROWS = 20_000;

/**
 * Keeps the rows of one list in step with events: asks again for the runs that changed, many in one question, one question at
 * a time, and puts the answer into what was read before. A storm of events makes this later, not busier.
 */
export class RowsInStep {
  readonly #list: ReadList;
  readonly #waiting = new Set<string>();
  #rounds: Promise<void> | undefined;
  #isClosed = false;

  constructor(list: ReadList) {
    this.#list = list;
  }

  add(ids: readonly string[]): void {
    for (const id of ids) this.#waiting.add(id);
    if (this.#waiting.size > 0) this.#rounds ??= this.#round();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #round(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#isClosed) {
      const isAnswered = this.#list.isReading() || (await this.#bringUpToDate());
      await new Promise((resolve) => setTimeout(resolve, isAnswered ? ROUND_MS : REST_MS));
    }
    this.#rounds = undefined;
  }

  async #bringUpToDate(): Promise<boolean> {
    const ids = [...this.#waiting].slice(0, MOST_AT_ONCE);
    for (const id of ids) this.#waiting.delete(id);
    const found = await this.#list.ask(ids).catch(() => undefined);
    if (found === undefined || this.#list.isReading()) this.add(ids);
    else this.#list.change((pages) => mergeRuns(pages, ids, found, MOST_ROWS - countOf(pages)));
    return found !== undefined;
  }
}

function countOf(pages: readonly RunsPage[]): number {
  return pages.reduce((sum, { runs }) => sum + runs.length, 0);
}
