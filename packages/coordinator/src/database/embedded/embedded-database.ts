import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Mutex } from "@tenterhook/internal";
import { Channels, channelName } from "../channels.ts";
import type { Database, Queries } from "../database.ts";
import { NOTIFY } from "../notify.ts";
import { queriesOver } from "../queries.ts";
import { unavailable } from "../sql-error.ts";
import { type Session, transact } from "../transaction.ts";
import { WriteHealth } from "../write-health.ts";
import { createFolder } from "./create-folder.ts";
import { lockFolder } from "./folder-lock.ts";
import { RestartingThread } from "./restarting-thread.ts";
import { beginSession } from "./session.ts";

export interface EmbeddedOptions {
  readonly transactionIdleMs?: number | undefined;
}

/**
 * PGlite in `<folder>/database`, for one process at a time. Safe against a killed process, not against a power cut: it never
 * calls fsync. Rejects with `store_locked` when another process has it open.
 */
export async function openEmbedded(
  folder: string,
  { transactionIdleMs = 15_000 }: EmbeddedOptions = {},
): Promise<Database> {
  const channels = new Channels();
  const { engine, lock } = await openEngine(folder, channels);
  const mutex = new Mutex();
  const health: WriteHealth = new WriteHealth({
    // It is in this process, and has ended or writes.
    write: async () => {},
    tables: async () => {},
    room: async () => (await hasRoom(folder)) && (await answers()),
  });
  let closing: Promise<void> | undefined;

  const queries = queriesOver(async (statement, values) => {
    const unlock = await lockOpen();
    try {
      // The thread executes in order, so the lock is held only until the statement was sent.
      return health.watch(statement, engine.current.send(statement, values));
    } finally {
      unlock();
    }
  });

  /** Locks the connection, unless the database is closed. */
  async function lockOpen(): Promise<() => void> {
    if (closing !== undefined) throw unavailable("The database is closed.");
    return mutex.lock();
  }

  /** Whether the engine has executed everything that was sent while the disk was full: it may break on the last of it. */
  async function answers(): Promise<boolean> {
    return queries.run({ name: "", text: "select 1" }).then(
      () => true,
      () => false,
    );
  }

  async function begin(): Promise<Session> {
    const unlock = await lockOpen();
    try {
      const session = await beginSession(engine.current, unlock, transactionIdleMs);
      return {
        ...session,
        send: (statement, values) => health.watch(statement, session.send(statement, values)),
      };
    } catch (error) {
      unlock();
      throw error;
    }
  }

  async function close(): Promise<void> {
    const unlock = await mutex.lock();
    await engine.close();
    await lock.release();
    unlock();
  }

  return {
    kind: "embedded",
    run: queries.run,
    writes: {
      writesTo: (table) => health.writesTo(table),
      get refusals() {
        return health.refusals;
      },
      // No other process can write into the folder.
      get outage() {
        return engine.trouble ?? health.outage;
      },
    },
    trouble: async () => engine.trouble ?? (await health.trouble()),
    checkSchema: async () => undefined,
    transaction: <T>(work: (queries: Queries) => Promise<T>) => transact(begin, work),
    async listen(channel, onNotice) {
      const remove = channels.add(channel, onNotice);
      try {
        await queries.run({ name: "", text: `listen ${channelName(channel)}` });
      } catch (error) {
        remove();
        throw error;
      }
      return async () => {
        remove();
        if (channels.has(channel) || closing !== undefined) return;
        await queries.run({ name: "", text: `unlisten ${channelName(channel)}` });
      };
    },
    async notify(channel, payload) {
      await queries.run(NOTIFY, [channel, payload]);
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function openEngine(folder: string, channels: Channels) {
  const database = join(folder, "database");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(database);
  try {
    await createFolder(database);
    const engine = await RestartingThread.start(database, lock, {
      notice: (channel, payload) => channels.deliver(channel, payload),
      async restarted(thread) {
        for (const name of channels.names()) {
          await thread.send({ name: "", text: `listen ${channelName(name)}` }, []);
        }
        channels.missed();
      },
    });
    return { engine, lock };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const PROBE_BYTES = 1024 * 1024;

/** Whether a folder's disk has room for this user, within quotas and limits: only an attempt shows it. */
async function hasRoom(folder: string): Promise<boolean> {
  const probe = join(folder, "database.room");
  try {
    await writeFile(probe, Buffer.alloc(PROBE_BYTES, "x"), { mode: 0o600 });
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true });
  }
}
