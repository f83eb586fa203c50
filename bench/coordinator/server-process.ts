// A coordinator in a process of its own, as it would run: `node --expose-gc server-process.js FOLDER OPTIONS [DATABASE_URL]`.
// Sends its address, answers "usage" with what it has used, "delay" with the longest delay of its event loop since the last time, "read"
// when it has read every event, "fold" and "do not fold" when events are added up or not, and any other message as a statement of SQL with
// the rows.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { serveCoordinator } from "@tenterhook/coordinator";
import { until } from "../until.ts";

export interface RemoteOptions {
  /** How long a runner may be silent before it has lost its runs. Default 30. */
  readonly leaseSeconds?: number;
  /** Whether it writes the words by which runs are found. Default true. */
  readonly indexRuns?: boolean;
  /** Whether it adds up events for insights from its start. Default true. */
  readonly foldInsights?: boolean;
  /** Private addresses that hooks may call. Default none. */
  readonly allowPrivate?: readonly string[];
}

/** How a statement ended. */
export type Executed =
  | { readonly rows: readonly Readonly<Record<string, unknown>>[]; readonly error?: undefined }
  | { readonly rows?: undefined; readonly error: string };

/** What a process has used so far. */
export interface Usage {
  readonly cpuMs: number;
  /** After a garbage collection. */
  readonly heapBytes: number;
}

const [folder = "", options = "{}", url] = process.argv.slice(2);
const {
  leaseSeconds = 30,
  indexRuns = true,
  foldInsights = true,
  allowPrivate = [],
}: RemoteOptions = JSON.parse(options);
let isFolding = foldInsights;
const served = await serveCoordinator({
  folder,
  url,
  port: 0,
  limits: { leaseSeconds },
  indexRuns,
  foldInsights: () => isFolding,
  webhooks: { allowPrivate },
});
const delays = monitorEventLoopDelay({ resolution: 10 });
process.send?.({ url: served.url, token: served.token });
process.once("SIGTERM", () => void served.close().then(() => process.exit(0)));

process.on("message", (message: string) => {
  if (message === "read") {
    void readEverything();
    return;
  }
  if (message === "delay") {
    process.send?.({ longestNs: delays.max });
    delays.reset();
    delays.enable();
    return;
  }
  if (message === "fold" || message === "do not fold") {
    isFolding = message === "fold";
    process.send?.({});
    return;
  }
  if (message !== "usage") {
    void execute(message);
    return;
  }
  const { user, system } = process.cpuUsage();
  globalThis.gc?.();
  const usage: Usage = { cpuMs: (user + system) / 1_000, heapBytes: process.memoryUsage().heapUsed };
  process.send?.(usage);
});

const LAST = { name: "last-event", text: "SELECT id FROM events ORDER BY xid DESC, id DESC LIMIT 1" };

/** The feed also reads events that were stored directly, which takes a while. */
async function readEverything(): Promise<void> {
  const { database, feed } = served.coordinator;
  const [last] = await database.run<{ id: number }>(LAST);
  try {
    const what = "the coordinator's feed has read the last event";
    if (last !== undefined) await until(() => feed.position.id === last.id, { what });
    process.send?.({});
  } catch (error) {
    process.send?.({ error: String(error) });
  }
}

async function execute(text: string): Promise<void> {
  try {
    process.send?.({ rows: await served.coordinator.database.run({ name: "", text }) });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
}
