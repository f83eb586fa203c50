import { messageOf } from "@tenterhook/internal";
import type { Statement, WriteRecord } from "./database.ts";
import type { Reply } from "./decode.ts";
import { isDiskFull, isOwnDelay, SqlError, takesNoWrites } from "./sql-error.ts";

export interface Probes {
  /** Tries a small write. Rejects when it fails. */
  readonly write: () => Promise<void>;
  /** Tries a write to tables that changes no row. Rejects when it fails. */
  readonly tables: (names: readonly string[]) => Promise<void>;
  /** Tries to write much more than a statement needs. Returns whether there is room; called only after a failure. */
  readonly room: () => Promise<boolean>;
}

/** How long a write that succeeded, or a probe, shows that the database can write. */
const VALID_MS = 1_000;

/** The tables that a statement writes to, in the way in which the coordinator writes SQL. */
const WRITTEN = /\b(?:insert into|update|delete from) (\w+)/gi;

/** Records whether the database takes writes. */
export class WriteHealth implements WriteRecord {
  readonly #probes: Probes;
  readonly #tables = new Map<string, readonly string[]>();
  readonly #writes = new Map<string, number>();
  #full: Error | undefined;
  #outage: Error | undefined;
  #refusals = 0;
  #provedAt = Number.NEGATIVE_INFINITY;
  #probe: { readonly at: number; readonly result: Promise<Error | undefined> } | undefined;

  constructor(probes: Probes) {
    this.#probes = probes;
  }

  writesTo(table: string): number {
    return this.#writes.get(table) ?? 0;
  }

  get refusals(): number {
    return this.#refusals;
  }

  get outage(): Error | undefined {
    return this.#outage;
  }

  /** Why the database cannot write at present. Writes something at most once a second, and only if nothing else was written. */
  async trouble(): Promise<Error | undefined> {
    // A later write that succeeds does not prove that there is room: a small one fits into space that the tables have already.
    if (this.#full !== undefined && (await this.#probes.room())) this.#full = undefined;
    if (this.#full !== undefined) return this.#full;
    const now = performance.now();
    if (this.#outage === undefined && now - this.#provedAt < VALID_MS) return undefined;
    if (this.#probe === undefined || now - this.#probe.at >= VALID_MS) {
      this.#probe = { at: now, result: this.#tryWriting() };
    }
    return this.#probe.result;
  }

  async #tryWriting(): Promise<Error | undefined> {
    try {
      await this.#probes.write();
      this.#succeeded([]);
      return undefined;
    } catch (error) {
      this.#failed(error);
      return error instanceof Error ? error : new Error(messageOf(error));
    }
  }

  /** Records an attempt to connect that failed. */
  notConnected(error: Error): void {
    this.#failed(error);
  }

  /** Records the outcome of a statement. One that waited in vain, while no other write to its tables succeeded, is not counted. */
  async watch(statement: Statement, reply: Promise<Reply>): Promise<Reply> {
    const tables = this.#tablesOf(statement);
    const before = this.#count(tables);
    try {
      const result = await reply;
      if (tables.length > 0) this.#succeeded(tables);
      return result;
    } catch (error) {
      const mayBeOfAll = tables.length > 0 && this.#count(tables) === before;
      const isOfAll =
        error instanceof SqlError && isOwnDelay(error) && mayBeOfAll && !(await this.#accept(tables));
      const failure = isOfAll ? new SqlError(error, { affectsAll: true }) : error;
      if (isDiskFull(failure)) this.#full = failure;
      this.#failed(failure);
      throw failure;
    }
  }

  #succeeded(tables: readonly string[]): void {
    for (const table of tables) this.#writes.set(table, this.writesTo(table) + 1);
    this.#outage = undefined;
    this.#provedAt = performance.now();
  }

  #failed(error: unknown): void {
    if (!takesNoWrites(error)) return;
    this.#refusals += 1;
    this.#outage = error;
  }

  /** Whether tables can be written to: then only some rows are locked, or slow. */
  #accept(tables: readonly string[]): Promise<boolean> {
    return this.#probes.tables(tables).then(
      () => true,
      () => false,
    );
  }

  #count(tables: readonly string[]): number {
    return tables.reduce((sum, table) => sum + this.writesTo(table), 0);
  }

  #tablesOf({ name, text }: Statement): readonly string[] {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const tables = [...new Set(Array.from(text.matchAll(WRITTEN), ([, table = ""]) => table))];
    if (name !== "") this.#tables.set(name, tables);
    return tables;
  }
}
