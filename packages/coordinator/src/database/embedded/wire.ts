import { messages, type PGlite, protocol } from "@electric-sql/pglite";
import type { Statement } from "../database.ts";
import type { Reply } from "../decode.ts";
import type { Text } from "../parameters.ts";
import { SqlError } from "../sql-error.ts";

const { serialize } = protocol;

/**
 * Speaks PostgreSQL's protocol with PGlite. Its `query` would parse every statement anew, in five calls, and convert values to
 * types of its own; this makes one call, keeps named statements prepared, and returns text.
 */
export class Wire {
  readonly #pglite: PGlite;
  readonly #prepared = new Set<string>();
  isInTransaction = false;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** Rejects with `SqlError`. */
  async send({ name, text }: Statement, values: readonly Text[]): Promise<Reply> {
    const answers = await this.#pglite.execProtocolStream(
      joined([
        ...(this.#prepared.has(name) ? [] : [serialize.parse({ name, text })]),
        serialize.bind({ statement: name, values: [...values] }),
        serialize.describe({ type: "P" }),
        serialize.execute({}),
        serialize.sync(),
      ]),
      // With `throwOnError`, PGlite would drop what comes after the error. Its file system is the real one: nothing to sync.
      { throwOnError: false, syncToFs: false },
    );
    if (name !== "" && answers.some((answer) => answer.name === "parseComplete")) this.#prepared.add(name);
    const last = answers.at(-1);
    this.isInTransaction = last instanceof messages.ReadyForQueryMessage && last.status !== "I";
    return replyFrom(answers);
  }
}

function replyFrom(answers: readonly { name: string }[]): Reply {
  let command = "";
  let fields: Reply["fields"] = [];
  const rows: Text[][] = [];
  for (const answer of answers) {
    if (answer instanceof messages.DatabaseError) throw new SqlError(answer);
    if (answer instanceof messages.DataRowMessage) rows.push(answer.fields);
    if (answer instanceof messages.CommandCompleteMessage) command = answer.text.split(" ", 1)[0] ?? "";
    if (answer instanceof messages.RowDescriptionMessage) {
      fields = answer.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
    }
  }
  return { command, fields, rows };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
