// The thread of the embedded database: it computes without a pause, and would block the event loop.
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { PLANNING } from "../planning.ts";
import { SqlError } from "../sql-error.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./messages.ts";
import { Upkeep } from "./upkeep.ts";
import { Wire } from "./wire.ts";

const { folder }: WorkerStart = workerData;
const port = parentPort;
if (port === null) throw new Error("This file is started as a thread, by embedded-database.ts.");
const post = (message: FromWorker) => port.postMessage(message);

const pglite = await PGlite.create({
  dataDir: folder,
  // The default of 128 MB is for a server; ours is small, and the system caches files as well.
  startParams: [
    ...PGlite.defaultStartParams,
    ...Object.entries({ shared_buffers: "32MB", ...PLANNING }).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]),
  ],
  onStderr: endOnPanic,
});
pglite.onNotification((channel, payload) => post({ type: "notice", channel, payload }));
const wire = new Wire(pglite);
const upkeep = new Upkeep(wire);

let steps: Promise<void> = Promise.resolve();
port.on("message", (message: ToWorker) => {
  steps = steps.then(() => execute(message));
});
post({ type: "ready" });

/**
 * PostgreSQL ends itself when it cannot continue, such as when there is no room for its log; PGlite would call it again, forever.
 * Nothing that it had confirmed is lost: the next start reads it from the log.
 */
function endOnPanic(line: string): boolean {
  const [, reason] = /\b(?:PANIC|FATAL): +(.*)/.exec(line) ?? [];
  if (reason === undefined) return false;
  post({ type: "panic", reason });
  process.exit(1);
}

async function execute(message: ToWorker): Promise<void> {
  if (message.type === "close") {
    await wire.send({ name: "", text: "checkpoint" }, []);
    await pglite.close();
    port?.close();
    return;
  }
  const { id, statement, values } = message;
  try {
    post({ type: "reply", id, reply: await wire.send(statement, values) });
  } catch (error) {
    // Anything else is a defect of the engine: its state is unknown, so the thread ends.
    if (!(error instanceof SqlError)) throw error;
    const { message, code, detail, constraint, table, column, routine } = error;
    post({ type: "refused", id, error: { message, code, detail, constraint, table, column, routine } });
  }
  await upkeep.afterStatement();
}
