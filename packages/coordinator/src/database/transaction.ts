import { pause } from "@tenterhook/internal";
import type { Queries, Statement } from "./database.ts";
import { queriesOver, type Send } from "./queries.ts";
import { isConflict, SqlError } from "./sql-error.ts";

/** A connection that belongs to one transaction, and has begun it. */
export interface Session {
  readonly send: Send;
  /** Gives the connection back; after a `failure` its state is unknown. */
  end(failure?: unknown): void;
}

export const BEGIN: Statement = { name: "begin", text: "begin" };
const COMMIT: Statement = { name: "commit", text: "commit" };
export const ROLLBACK: Statement = { name: "rollback", text: "rollback" };

const ATTEMPTS = 6;

/** Does the work in a transaction, and again, a few times, when it was in conflict with another one. */
export async function transact<T>(
  begin: () => Promise<Session>,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(await begin(), work);
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      // Random waits, so that the same two do not conflict again.
      await pause(Math.random() * 5 * 2 ** attempt);
    }
  }
}

async function attemptOnce<T>(session: Session, work: (queries: Queries) => Promise<T>): Promise<T> {
  let isOver = false;
  const queries = queriesOver(async (statement, values) => {
    if (isOver) throw new Error("This transaction has ended; await every statement inside it.");
    return session.send(statement, values);
  });
  let result: T;
  try {
    result = await work(queries);
  } catch (error) {
    isOver = true;
    await rollBack(session);
    throw error;
  }
  isOver = true;
  await commit(session);
  return result;
}

async function commit(session: Session): Promise<void> {
  try {
    const { command } = await session.send(COMMIT, []);
    // After a failed statement, which the work must have caught, PostgreSQL answers a commit with a quiet rollback.
    if (command !== "COMMIT") {
      throw new SqlError({
        code: "25P02",
        message: "A statement of the transaction failed, so nothing of it was saved.",
      });
    }
    session.end();
  } catch (error) {
    // A refused commit has ended the transaction; after a lost one the driver knows that the connection is gone.
    session.end(error instanceof SqlError ? undefined : error);
    throw error;
  }
}

async function rollBack(session: Session): Promise<void> {
  try {
    await session.send(ROLLBACK, []);
    session.end();
  } catch (failure) {
    session.end(failure);
  }
}
