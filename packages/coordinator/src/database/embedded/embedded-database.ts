import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Channels, channelName } from "../channels.ts";
import type { Database, Queries } from "../database.ts";
import { NOTIFY } from "../notify.ts";
import { queriesOver } from "../queries.ts";
import { unavailable } from "../sql-error.ts";
import { transact } from "../transaction.ts";
import { createFolder } from "./create-folder.ts";
import { lockFolder } from "./folder-lock.ts";
import { beginSession } from "./session.ts";
import { Thread } from "./thread.ts";
import { Turns } from "./turns.ts";

export interface EmbeddedOptions {
  readonly transactionIdleMs?: number | undefined;
}

/**
 * PGlite in `<folder>/database`, for one process at a time. Safe against a killed process, not against a power cut: it never asks
 * the system to write through. Rejects with `store_locked` when another process has it open.
 */
export async function openEmbedded(
  folder: string,
  { transactionIdleMs = 15_000 }: EmbeddedOptions = {},
): Promise<Database> {
  const channels = new Channels();
  const { thread, unlock } = await openThread(folder, channels);
  const turns = new Turns();
  let closing: Promise<void> | undefined;

  const queries = queriesOver(async (statement, values) => {
    const endTurn = await turn();
    const reply = thread.send(statement, values);
    // The thread keeps the order, so a single statement's turn is over when it is on its way.
    endTurn();
    return reply;
  });

  async function turn(): Promise<() => void> {
    if (closing !== undefined) throw unavailable("The database is closed.");
    return turns.take();
  }

  async function close(): Promise<void> {
    const endTurn = await turns.take();
    await thread.close();
    await unlock();
    endTurn();
  }

  return {
    kind: "embedded",
    run: queries.run,
    get orm() {
      return queries.orm;
    },
    transaction: <T>(work: (queries: Queries) => Promise<T>) =>
      transact(async () => beginSession(thread, await turn(), transactionIdleMs), work),
    async listen(channel, heard) {
      const remove = channels.add(channel, heard);
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

async function openThread(folder: string, channels: Channels) {
  const database = join(folder, "database");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(database);
  try {
    await createFolder(database);
    const thread = await Thread.start(database, (channel, payload) => channels.deliver(channel, payload));
    return { thread, unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}
