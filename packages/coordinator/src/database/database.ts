import type { Parameter } from "./parameters.ts";

/** SQL with `$1`, `$2`. A name makes it prepared once per connection; `""` for statements that run too seldom. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether it may take longer than the limit of statements, as one that cleans up. Not for statements inside a transaction. */
  readonly isLong?: boolean;
}

/**
 * Runs statements. `decode.ts` decodes their values, the same for both drivers, and `parameters.ts` encodes parameters.
 *
 * Rejects with `SqlError` when the database refuses a statement, with `store_unavailable` when it cannot be reached or ended in
 * the middle of a call: such a statement may or may not have been executed.
 */
export interface Queries {
  /** Rows as objects with the column names as written. */
  run<R>(statement: Statement, values?: readonly Parameter[]): Promise<R[]>;
}

/** What the statements so far have shown about writing. */
export interface WriteRecord {
  /** How many statements that write to a table have succeeded. */
  writesTo(table: string): number;
  /** How often it was seen that no coordinator can write. */
  readonly refusals: number;
  /** Why no coordinator can write; `undefined` after a write that succeeded. */
  readonly outage: Error | undefined;
}

/** The open database of a coordinator. */
export interface Database extends Queries {
  readonly kind: "embedded" | "server";
  /** What the statements so far have shown about writing. */
  readonly writes: WriteRecord;
  /**
   * Why it cannot write at present: its disk is full, a server is read-only or away, or the embedded engine has ended and cannot be
   * started again yet. Writes to a server, and takes it back, when nothing was written within a second.
   */
  trouble(): Promise<Error | undefined>;
  /**
   * Throws `store_newer` or `store_changed` when the tables are not those of this version. An embedded database belongs to this
   * process, which has checked it when it was opened.
   */
  checkSchema(): Promise<void>;
  /**
   * All or nothing. `work` is called again when the database found it in conflict with another transaction, so it has no effects
   * of its own. It runs statements through the `queries` it is given and awaits nothing else: an embedded database does nothing
   * else meanwhile.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Calls `onNotice` for every `notify` on the channel from now on, and once with `""` when notices may have been missed. Returns
   * the function that stops it. `onNotice` must not throw.
   */
  listen(channel: string, onNotice: (payload: string) => void): Promise<() => Promise<void>>;
  notify(channel: string, payload: string): Promise<void>;
  /** Lets active calls end, and refuses later ones. May be called twice. */
  close(): Promise<void>;
}
