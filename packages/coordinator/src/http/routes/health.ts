import { health } from "@tenterhook/protocol/runs";
import type { Statement } from "../../database/database.ts";
import { Problem } from "../../problem.ts";
import { type Operation, operation, SENT } from "../operation.ts";
import type { Services } from "../services.ts";

const ANYTHING: Statement = { name: "anything", text: "SELECT 1" };
/** Longer than any healthy database takes, shorter than those who ask wait. */
const PATIENCE_MS = 2_000;

/** How the coordinator is, for those who keep it running. */
export function healthChecks({ coordinator, metrics, polls, streams }: Services): Operation[] {
  const { database } = coordinator;

  const alive = operation(
    {
      method: "get",
      path: "/healthz",
      permission: "anyone",
      summary: "Check that the process is alive and can write",
      answers: { 200: health },
    },
    async () => {
      await checkWriting();
      return { status: 200, body: { status: "ok" } as const };
    },
  );

  const ready = operation(
    {
      method: "get",
      path: "/readyz",
      permission: "anyone",
      summary: "Ask whether the database answers",
      answers: { 200: health },
    },
    async () => {
      await checkWriting();
      await inTime(database.run(ANYTHING));
      return { status: 200, body: { status: "ok" } as const };
    },
  );

  async function checkWriting(): Promise<void> {
    const trouble = await inTime(database.trouble());
    if (trouble !== undefined)
      throw new Problem("unavailable", `the database cannot write: ${trouble.message}`);
  }

  const counts = operation(
    {
      method: "get",
      path: "/metrics",
      permission: "look",
      summary: "Read what is counted, in the text format of Prometheus",
      answers: { 200: { mediaType: "text/plain" } },
    },
    async ({ outgoing }) => {
      const text = await metrics.text(database, {
        tenterhook_waiting_requests: ["Requests that wait for something here.", polls.count],
        tenterhook_event_subscribers: ["Clients that follow the events here.", streams.count],
        tenterhook_event_subscribers_dropped: ["Clients that did not keep up here, ever.", streams.dropped],
        process_resident_memory_bytes: ["Memory of the process.", process.memoryUsage.rss()],
        process_uptime_seconds: ["Age of the process.", process.uptime()],
      });
      outgoing.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
      return SENT;
    },
  );

  return [alive, ready, counts];
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem("unavailable", "the database is slow")), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
