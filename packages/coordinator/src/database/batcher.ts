import { isOwnDelay, SqlError, takesNoWrites } from "./sql-error.ts";

export interface BatcherOptions<Item> {
  /** Only items with the same key share a batch. */
  readonly keyOf?: (item: Item) => string;
  /** The largest batch. Default 32. */
  readonly most?: number;
  /** How many batches may run at a time. Default 1. */
  readonly atOnce?: number;
}

/** A batch that takes longer no longer delays the next one, which may be quicker on another connection. */
const SLOW_BATCH_MS = 50;

interface Call<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs items of the same moment as one batch: items that are added while a batch runs wait for its end, and are then one statement
 * and one commit. A single item does not wait.
 */
export class Batcher<Item, Outcome> {
  readonly #run: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly #keyOf: (item: Item) => string;
  readonly #most: number;
  readonly #atOnce: number;
  #waiting: Call<Item, Outcome>[] = [];
  #running = 0;
  #isDue = false;

  /** `run` returns an outcome for each item, in their order. */
  constructor(
    run: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    { keyOf = () => "", most = 32, atOnce = 1 }: BatcherOptions<Item> = {},
  ) {
    this.#run = run;
    this.#keyOf = keyOf;
    this.#most = most;
    this.#atOnce = atOnce;
  }

  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isDue || this.#running >= this.#atOnce) return;
      this.#isDue = true;
      // Not at once: Node has read several requests and calls their handlers one after the other.
      setImmediate(() => this.#next());
    });
  }

  #next(): void {
    this.#isDue = false;
    const calls = this.#take();
    if (calls.length === 0) return;
    this.#running += 1;
    let isFinished = false;
    const finish = () => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      this.#running -= 1;
      this.#next();
    };
    const timer = setTimeout(finish, SLOW_BATCH_MS);
    void this.#settle(calls).then(finish);
    if (this.#running < this.#atOnce) this.#next();
  }

  #take(): Call<Item, Outcome>[] {
    const [first] = this.#waiting;
    if (first === undefined) return [];
    const key = this.#keyOf(first.item);
    const taken: Call<Item, Outcome>[] = [];
    this.#waiting = this.#waiting.filter((call) => {
      if (taken.length === this.#most || this.#keyOf(call.item) !== key) return true;
      taken.push(call);
      return false;
    });
    return taken;
  }

  async #settle(calls: readonly Call<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#run(calls.map(({ item }) => item));
      // The contract of `run`: one outcome for each item.
      for (const [index, { resolve }] of calls.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      // The statement was refused as a whole, so nothing of it was done. One item may be the cause; the others must not fail with it.
      // A database that takes no writes refuses each of them.
      const isOfOne = error instanceof SqlError && !takesNoWrites(error);
      if (!isOfOne || calls.length === 1) for (const { reject } of calls) reject(error);
      // Each of them may run into the time limit again: one after the other would add up.
      else if (isOwnDelay(error)) await Promise.all(calls.map((call) => this.#settle([call])));
      else for (const call of calls) await this.#settle([call]);
    }
  }
}
