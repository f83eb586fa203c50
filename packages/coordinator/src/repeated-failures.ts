import { BoundedMap, messageOf } from "@tenterhook/internal";
import { isOwnDelay, isRowFault, isUnavailable } from "./database/sql-error.ts";

/** A row with so many failures one after the other is set aside. */
const MAX_FAILURES = 3;
/** The most rows that are counted; more fail for another reason. */
const MAX_ROWS = 10_000;

/** Counts how often the work on a row has thrown, here, and reports it the first time. */
export class RepeatedFailures {
  readonly #counts = new BoundedMap<string, number>(MAX_ROWS);
  readonly #report: (error: unknown) => void;
  #setAside = 0;

  constructor(report: (error: unknown) => void = console.error) {
    this.#report = report;
  }

  /** How many rows were set aside, here. */
  get setAside(): number {
    return this.#setAside;
  }

  /** Counts a failure. Returns whether the row is to be set aside. */
  failed(id: string, error: unknown): boolean {
    const before = this.#counts.get(id) ?? 0;
    if (before === 0) this.#report(error);
    // A statement that times out again, while others succeed, has its cause in the row. Another failure is reported once, and tried again without a limit.
    const count = isRowFault(error) || isOwnDelay(error) ? before + 1 : Math.max(1, before);
    this.#counts.set(id, count);
    return count >= MAX_FAILURES;
  }

  /** Forgets a row that was processed. */
  forget(id: string): void {
    this.#counts.delete(id);
  }

  /** Counts a row that was set aside, and reports which if the row itself does not show it. */
  countSetAside(what?: string, cause?: unknown): void {
    this.#setAside++;
    if (what !== undefined) this.#report(new Error(`${what} is set aside: ${messageOf(cause)}`, { cause }));
  }

  /**
   * Processes rows of which the next ones may only follow when these are done: all together, or as many of the first as succeed together
   * when one of them fails. One that fails alone is tried again with a later call, and set aside after some of them: `skip` goes on
   * behind it. Returns undefined when nothing was processed.
   */
  async inOrder<Row, T>(
    rows: readonly [Row, ...Row[]],
    work: (rows: readonly [Row, ...Row[]]) => Promise<T>,
    { describe, skip }: { describe: (row: Row) => string; skip: (row: Row) => Promise<T> },
  ): Promise<T | undefined> {
    try {
      return await work(rows);
    } catch (error) {
      if (!isOfRow(error)) throw error;
      const [first, ...others] = rows;
      if (others.length > 0)
        return this.inOrder([first, ...others.slice(0, others.length >> 1)], work, { describe, skip });
      const what = describe(first);
      if (!this.failed(what, error)) return undefined;
      const result = await skip(first);
      this.forget(what);
      this.countSetAside(what, error);
      return result;
    }
  }
}

/** Whether a failure is that of a row and not an outage: other rows can be processed all the same. */
export function isOfRow(error: unknown): boolean {
  return isOwnDelay(error) || !isUnavailable(error);
}

/** Throws what has failed while the others were processed, if anything has. */
export function throwTogether(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, errors.map(messageOf).join("; "));
}
