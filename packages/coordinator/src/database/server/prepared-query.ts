import type pg from "pg";
import type { Statement } from "../database.ts";
import type { Reply } from "../decode.ts";
import type { Text } from "../parameters.ts";

type Fields = Reply["fields"];

/** A field of a connection that the driver's types leave out: the statements that it has prepared, by name. */
interface Prepared {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
}

/** The columns of prepared statements, by connection: tables may change between two connections. */
const FIELDS = new WeakMap<pg.Connection, Map<string, Fields>>();

/** The longest that a timer can wait. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * One execution of a prepared statement. The driver's own query has the server describe the columns each time; for a claim
 * that takes longer than reading the reply. They cannot change: the server refuses a plan that has become stale.
 */
export class PreparedQuery implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  /** The driver reads it: how long it waits for the reply. */
  readonly query_timeout: number | undefined;
  /** The driver replaces this by its own callback, which has a timeout. */
  callback: (error: Error | null, reply?: Reply) => void;
  readonly #values: readonly Text[];
  #fields: Fields = [];
  #command = "";
  readonly #rows: (readonly Text[])[] = [];

  constructor(
    { name, text, isLong = false }: Statement,
    values: readonly Text[],
    answered: (error: Error | null, reply?: Reply) => void,
  ) {
    this.name = name;
    this.text = text;
    this.query_timeout = isLong ? NO_TIMEOUT_MS : undefined;
    this.#values = values;
    this.callback = answered;
  }

  submit(connection: pg.Connection & Partial<Prepared>): void {
    const { name, text } = this;
    const { stream } = connection;
    const fields = FIELDS.get(connection)?.get(name);
    if (fields !== undefined) this.#fields = fields;
    stream.cork();
    try {
      if (connection.parsedStatements?.[name] === undefined)
        connection.parse({ name, text, types: [] }, true);
      connection.bind({ statement: name, values: [...this.#values] }, true);
      if (fields === undefined) connection.describe({ type: "P", name: "" }, true);
      connection.execute({}, true);
      connection.sync();
    } finally {
      stream.uncork();
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#fields = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  }

  handleDataRow({ fields }: { readonly fields: readonly Text[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }, connection: pg.Connection): void {
    const [command = ""] = text.split(" ", 1);
    this.#command = command;
    const known = FIELDS.get(connection) ?? new Map<string, Fields>();
    if (known.get(this.name) !== this.#fields) FIELDS.set(connection, known.set(this.name, this.#fields));
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null, { command: this.#command, fields: this.#fields, rows: this.#rows });
  }
}
