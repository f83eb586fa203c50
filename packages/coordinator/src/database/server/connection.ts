import type pg from "pg";
import type { Statement } from "../database.ts";
import type { Reply } from "../decode.ts";
import type { Text } from "../parameters.ts";
import { PLANNING } from "../planning.ts";
import { PreparedQuery } from "./prepared-query.ts";
import { MARK_WRITER } from "./writer-mark.ts";

export interface ConnectionOptions {
  /** How long a statement may take; 0 for no limit. 30,000 by default: ours take milliseconds, so this limits a defect. */
  readonly statementMs?: number | undefined;
  /** How long a statement may wait for a lock; 0 for no limit. 3,000 by default: transactions of coordinators take milliseconds. */
  readonly lockMs?: number | undefined;
  /** How long a transaction may send no statement. 15,000 by default. */
  readonly transactionIdleMs?: number | undefined;
}

export function clientConfig(url: string, { statementMs = 30_000 }: ConnectionOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "tenterhook",
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // A little longer than the server's own limit: only for a server that no longer answers.
    ...(statementMs === 0 ? {} : { query_timeout: statementMs + 5_000 }),
  };
}

/** Settings as statements and not as parameters of the start, which poolers such as PgBouncer refuse. */
export async function setUp(
  client: pg.ClientBase,
  { statementMs = 30_000, lockMs = 3_000, transactionIdleMs = 15_000 }: ConnectionOptions,
): Promise<void> {
  const settings = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: transactionIdleMs,
    // `decode.ts` reads no other.
    datestyle: "ISO",
    ...PLANNING,
  };
  await client.query(
    Object.entries(settings)
      .map(([name, value]) => `set ${name} = ${value}`)
      .concat(MARK_WRITER)
      .join(";"),
  );
}

/** Rejects with the errors of `pg`. */
export async function sendQuery(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly Text[],
): Promise<Reply> {
  if (statement.name === "") return sendUnprepared(client, statement.text, values);
  return new Promise((resolve, reject) => {
    client.query(
      new PreparedQuery(statement, values, (error, reply) => {
        if (reply === undefined) reject(error);
        else resolve(reply);
      }),
    );
  });
}

/** Sends a text that is not prepared; it may be several statements, as a migration is. */
async function sendUnprepared(client: pg.ClientBase, text: string, values: readonly Text[]): Promise<Reply> {
  const query = { text, values: [...values], rowMode: "array" as const, types: AS_TEXT };
  const { command, fields, rows } = await client.query<Text[]>(query);
  return { command, fields: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows };
}

// Both drivers return text, which only `decode.ts` decodes.
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };
