import { DrizzleQueryError } from "drizzle-orm";
import { drizzle, type PgRemoteDatabase } from "drizzle-orm/pg-proxy";
import * as schema from "../store/schema.ts";
import type { Queries, Statement } from "./database.ts";
import { type Reply, rowArrays, rowObjects } from "./decode.ts";
import { parameterText, type Text } from "./parameters.ts";

/** The one thing that a driver does: carry a statement to the database and its reply back. */
export type Send = (statement: Statement, values: readonly Text[]) => Promise<Reply>;

/** `run` and drizzle over a driver. */
export function queriesOver(send: Send): Queries {
  let orm: PgRemoteDatabase<typeof schema> | undefined;
  return {
    async run<R>(statement: Statement, values: readonly unknown[] = []): Promise<R[]> {
      checkName(statement);
      const reply = await send(statement, values.map(parameterText));
      // The caller says what the statement selects; nothing here could check it.
      return rowObjects(reply) as R[];
    },
    // Made when it is first asked for: most transactions do without.
    get orm() {
      orm ??= ormOver(send);
      return orm;
    },
  };
}

const TEXTS = new Map<string, string>();

/** A connection that has prepared one text under a name would go on to use it for the other. */
function checkName({ name, text }: Statement): void {
  if (name === "") return;
  const known = TEXTS.get(name);
  if (known === undefined) TEXTS.set(name, text);
  else if (known !== text) throw new Error(`Two statements have the name "${name}".`);
}

function ormOver(send: Send): PgRemoteDatabase<typeof schema> {
  const orm = drizzle(
    async (text, values, method) => {
      const reply = await send({ name: "", text }, values.map(parameterText));
      return { rows: method === "all" ? rowArrays(reply) : rowObjects(reply) };
    },
    { schema },
  );
  // drizzle wraps every error in one of its own, whose message contains the parameters. Callers want the one that happened.
  const session = orm._.session;
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...query) => {
    const prepared = prepareQuery(...query);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = async (values) => {
      try {
        return await execute(values);
      } catch (error) {
        throw error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
      }
    };
    return prepared;
  };
  return orm;
}
