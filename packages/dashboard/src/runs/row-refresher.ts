import { pause } from "@tenterhook/internal";
import type { RunSummary, RunsPage } from "@tenterhook/protocol/runs";
import { mergeRuns } from "./merge-runs.ts";

/** The loaded part of a list of runs. */
export interface RunList {
  /** Whether pages are being read. Their response replaces the rows with the state at the time of the request. */
  readonly isReading: () => boolean;
  readonly change: (change: (pages: readonly RunsPage[]) => readonly RunsPage[]) => void;
  /** Reads those of the runs that match the list now. If it rejects, it is called again later. */
  readonly fetch: (ids: readonly string[]) => Promise<readonly RunSummary[]>;
}

/** The pause between two requests. */
const ROUND_MS = 250;
/** The pause after a failed request. */
const RETRY_MS = 2_000;
/** The most ids that one request may contain. */
const MAX_IDS = 200;
/** The most rows to keep; beyond that, new runs are shown only after scrolling to the top. */
const MAX_ROWS = 20_000;

/**
 * Updates the rows of a list after events: reads the changed runs, many per request and one request at a time, and merges them
 * into the list. More events delay the updates, but cause no more requests.
 */
export class RowRefresher {
  readonly #list: RunList;
  readonly #waiting = new Set<string>();
  #rounds: Promise<void> | undefined;
  #isClosed = false;

  constructor(list: RunList) {
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
      const isDone = this.#list.isReading() || (await this.#refresh());
      await pause(isDone ? ROUND_MS : RETRY_MS);
    }
    this.#rounds = undefined;
  }

  async #refresh(): Promise<boolean> {
    const ids = [...this.#waiting].slice(0, MAX_IDS);
    for (const id of ids) this.#waiting.delete(id);
    const found = await this.#list.fetch(ids).catch(() => undefined);
    if (found === undefined || this.#list.isReading()) this.add(ids);
    else this.#list.change((pages) => mergeRuns(pages, ids, found, MAX_ROWS - countRows(pages)));
    return found !== undefined;
  }
}

function countRows(pages: readonly RunsPage[]): number {
  return pages.reduce((sum, { runs }) => sum + runs.length, 0);
}
