import { SqlError } from "./sql-error.ts";

export interface GatheringOptions<Item> {
  /** Only calls with the same key go together. */
  readonly keyOf?: (item: Item) => string;
  /** How many go together at most. Default 32. */
  readonly most?: number;
  /** How many statements may be under way at a time. Default 1. */
  readonly atOnce?: number;
}

/** A call to the database that takes so long no longer keeps others waiting: they may be luckier on another connection. */
const PATIENCE_MS = 50;

interface Call<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Carries out together what is asked for in the same moment: what comes while the database is busy with the same kind of thing waits
 * for that, and is then one statement and one commit. Whoever comes alone does not wait.
 */
export class Gathering<Item, Outcome> {
  readonly #carryOut: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly #keyOf: (item: Item) => string;
  readonly #most: number;
  readonly #atOnce: number;
  #waiting: Call<Item, Outcome>[] = [];
  #underWay = 0;
  #isDue = false;

  /** `carryOut` answers with an outcome for each item, in their order. */
  constructor(
    carryOut: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    { keyOf = () => "", most = 32, atOnce = 1 }: GatheringOptions<Item> = {},
  ) {
    this.#carryOut = carryOut;
    this.#keyOf = keyOf;
    this.#most = most;
    this.#atOnce = atOnce;
  }

  ask(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isDue || this.#underWay >= this.#atOnce) return;
      this.#isDue = true;
      // Not at once: Node has read several requests, and calls us for one after the other.
      setImmediate(() => this.#next());
    });
  }

  #next(): void {
    this.#isDue = false;
    const calls = this.#take();
    if (calls.length === 0) return;
    this.#underWay += 1;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#underWay -= 1;
      this.#next();
    };
    const timer = setTimeout(over, PATIENCE_MS);
    void this.#settle(calls).then(over);
    if (this.#underWay < this.#atOnce) this.#next();
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
      const outcomes = await this.#carryOut(calls.map(({ item }) => item));
      // The contract of `carryOut`: there is one for each.
      for (const [index, { resolve }] of calls.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      // Refused as a whole, so nothing of it was done. One of them may be to blame, and must not spoil it for the others.
      if (error instanceof SqlError && calls.length > 1) {
        for (const call of calls) await this.#settle([call]);
      } else for (const { reject } of calls) reject(error);
    }
  }
}
