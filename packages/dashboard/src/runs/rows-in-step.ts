import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { RunSummary, RunsPage } from "@tenterhook/protocol/runs";
import { mergeRuns } from "./merge-runs.ts";

type Data = InfiniteData<RunsPage, string | undefined>;

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
  readonly #client: QueryClient;
  readonly #queryKey: QueryKey;
  readonly #ask: (ids: readonly string[]) => Promise<readonly RunSummary[]>;
  readonly #waiting = new Set<string>();
  #rounds: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    client: QueryClient,
    queryKey: QueryKey,
    ask: (ids: readonly string[]) => Promise<readonly RunSummary[]>,
  ) {
    this.#client = client;
    this.#queryKey = queryKey;
    this.#ask = ask;
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
      // Pages under way replace what is there with what was there when they were asked for.
      const isAnswered = this.#isReading || (await this.#bringUpToDate());
      await new Promise((resolve) => setTimeout(resolve, isAnswered ? ROUND_MS : REST_MS));
    }
    this.#rounds = undefined;
  }

  async #bringUpToDate(): Promise<boolean> {
    const ids = [...this.#waiting].slice(0, MOST_AT_ONCE);
    for (const id of ids) this.#waiting.delete(id);
    const found = await this.#ask(ids).catch(() => undefined);
    if (found === undefined || this.#isReading) this.add(ids);
    else this.#put(ids, found);
    return found !== undefined;
  }

  get #isReading(): boolean {
    return this.#client.getQueryState(this.#queryKey)?.fetchStatus !== "idle";
  }

  #put(ids: readonly string[], found: readonly RunSummary[]): void {
    this.#client.setQueryData<Data>(this.#queryKey, (data) => {
      if (data === undefined) return undefined;
      const count = data.pages.reduce((sum, { runs }) => sum + runs.length, 0);
      const pages = mergeRuns(data.pages, ids, found, MOST_ROWS - count);
      return pages === data.pages ? data : { ...data, pages: [...pages] };
    });
  }
}
