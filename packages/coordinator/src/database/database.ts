import type { Parameter } from "./parameters.ts";

/** SQL with `$1`, `$2`. A name makes it prepared once per connection; `""` for what is asked too seldom to be kept. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Asks the database. Values come back as `decode.ts` says, the same from both drivers, and go in as `parameters.ts` says.
 *
 * Rejects with `SqlError` when the database refuses a statement, with `store_unavailable` when it cannot be reached or ended in
 * the middle of a call: such a statement may or may not have been carried out.
 */
export interface Queries {
  /** Rows as objects with the column names as written. */
  run<R>(statement: Statement, values?: readonly Parameter[]): Promise<R[]>;
}

export interface Database extends Queries {
  readonly kind: "embedded" | "server";
  /**
   * Why it cannot write at present: its disk is full, or the embedded engine has ended and cannot be started again yet.
   * A server that cannot be reached is no such trouble. Costs nothing unless something has failed.
   */
  trouble(): Promise<Error | undefined>;
  /**
   * All or nothing. `work` is called again when the database found it in conflict with another transaction, so it has no effects
   * of its own; it asks through the `queries` it is given and awaits nothing else, because an embedded database does nothing
   * else meanwhile.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Calls `heard` for every `notify` on the channel from now on, and once with `""` when notices may have been missed. Returns
   * the way to stop. `heard` must not throw.
   */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  notify(channel: string, payload: string): Promise<void>;
  /** Lets what is under way end, refuses what comes later. May be called twice. */
  close(): Promise<void>;
}
