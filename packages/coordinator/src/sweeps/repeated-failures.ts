import { BoundedMap } from "@tenterhook/internal";
import { isOwnDelay, isRowFault } from "../database/sql-error.ts";

/** A row with so many failures one after the other is set aside. */
const MAX_FAILURES = 3;
/** The most rows that are counted; more fail for another reason. */
const MAX_ROWS = 10_000;

/** Counts how often the work on a row has thrown, here, and reports it the first time. */
export class RepeatedFailures {
  readonly #counts = new BoundedMap<string, number>(MAX_ROWS);
  readonly #report: (error: unknown) => void;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
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
}
