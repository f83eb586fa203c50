import { unavailable } from "../sql-error.ts";
import { BEGIN, ROLLBACK, type Session } from "../transaction.ts";
import type { Thread } from "./thread.ts";

/**
 * Begins a transaction on the one connection. It is rolled back when it sends no statement for `idleMs`, because every other call
 * waits for it; it may itself wait for a statement that it sent outside.
 */
export async function beginSession(thread: Thread, unlock: () => void, idleMs: number): Promise<Session> {
  let active = 0;
  let isAbandoned = false;
  let timer: NodeJS.Timeout | undefined;

  function abandon(): void {
    isAbandoned = true;
    void thread.send(ROLLBACK, []).then(unlock, unlock);
  }

  const session: Session = {
    async send(statement, values) {
      if (isAbandoned) throw unavailable(IDLE);
      clearTimeout(timer);
      active += 1;
      try {
        return await thread.send(statement, values);
      } finally {
        active -= 1;
        if (active === 0) timer = setTimeout(abandon, idleMs);
      }
    },
    end() {
      clearTimeout(timer);
      if (!isAbandoned) unlock();
    },
  };
  try {
    await session.send(BEGIN, []);
    return session;
  } catch (error) {
    session.end();
    throw error;
  }
}

const IDLE = "The transaction was rolled back: it sent no statement for too long.";
