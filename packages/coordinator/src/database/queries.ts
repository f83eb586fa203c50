import type { Queries, Statement } from "./database.ts";
import { type Reply, rowObjects } from "./decode.ts";
import { parameterText, type Text } from "./parameters.ts";

/** Sends a statement to the database and returns its reply: all that a driver does. */
export type Send = (statement: Statement, values: readonly Text[]) => Promise<Reply>;

/** `run` over a driver. */
export function queriesOver(send: Send): Queries {
  return {
    async run<R>(statement: Statement, values: readonly unknown[] = []): Promise<R[]> {
      checkName(statement);
      const reply = await send(statement, values.map(parameterText));
      // The caller knows the type of the rows; nothing here could check it.
      return rowObjects(reply) as R[];
    },
  };
}

const TEXTS = new Map<string, string>();

/** A connection that has prepared one text under a name would use it for the other text too. */
function checkName({ name, text }: Statement): void {
  if (name === "") return;
  const known = TEXTS.get(name);
  if (known === undefined) TEXTS.set(name, text);
  else if (known !== text) throw new Error(`Two statements have the name "${name}".`);
}
