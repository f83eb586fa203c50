import { health } from "@tenterhook/protocol/runs";
import type { Statement } from "../../database/database.ts";
import { Problem } from "../../problem.ts";
import { inTime } from "../in-time.ts";
import { type Operation, operation, SENT } from "../operation.ts";
import type { Services } from "../services.ts";

const PING: Statement = { name: "ping", text: "SELECT 1" };
/** Longer than a healthy database needs, and shorter than the usual timeout of a probe. */
const DATABASE_TIMEOUT_MS = 2_000;

const slow = () => new Problem("unavailable", "the database is slow");

/** Health checks and metrics, for operators. */
export function healthChecks({ coordinator, metrics, polls, streams }: Services): Operation[] {
  const { database } = coordinator;

  const alive = operation(
    "GET /healthz",
    {
      permission: "anyone",
      summary: "Check that the process is alive, and that its embedded database can write",
      responses: { 200: health },
    },
    async () => {
      // To restart this process does not help a server.
      if (database.kind === "embedded") await checkWriting();
      return { status: 200, body: { status: "ok" } as const };
    },
  );

  const ready = operation(
    "GET /readyz",
    {
      permission: "anyone",
      summary: "Check that the database takes writes and has the tables of this version",
      responses: { 200: health },
    },
    async () => {
      await checkWriting();
      await inTime(database.checkSchema(), DATABASE_TIMEOUT_MS, slow);
      await inTime(database.run(PING), DATABASE_TIMEOUT_MS, slow);
      return { status: 200, body: { status: "ok" } as const };
    },
  );

  async function checkWriting(): Promise<void> {
    const trouble = await inTime(database.trouble(), DATABASE_TIMEOUT_MS, slow);
    if (trouble !== undefined)
      throw new Problem("unavailable", `the database cannot write: ${trouble.message}`);
  }

  const readMetrics = operation(
    "GET /metrics",
    {
      permission: "read",
      summary: "Read the metrics, in the text format of Prometheus",
      responses: { 200: { mediaType: "text/plain" } },
    },
    async ({ outgoing }) => {
      const text = await metrics.text(database, {
        tenterhook_waiting_requests: ["Requests that this coordinator keeps open.", polls.count],
        tenterhook_event_subscribers: ["Clients that follow the events of this coordinator.", streams.count],
        tenterhook_event_subscribers_dropped: [
          "Clients that this coordinator disconnected because they read too slowly.",
          streams.dropped,
        ],
        tenterhook_store_writable: [
          "1 while the store takes writes, as far as this coordinator has seen; 0 while it takes none.",
          database.writes.outage === undefined ? 1 : 0,
        ],
        tenterhook_store_refusals_total: [
          "How often this coordinator has seen that the store takes no writes.",
          database.writes.refusals,
        ],
        tenterhook_set_aside_total: [
          "Runs, hooks and events that this coordinator could not process, and set aside.",
          coordinator.failures.setAside,
        ],
        process_resident_memory_bytes: ["Memory of the process.", process.memoryUsage.rss()],
        process_uptime_seconds: ["Age of the process.", process.uptime()],
      });
      outgoing.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
      return SENT;
    },
  );

  return [alive, ready, readMetrics];
}
