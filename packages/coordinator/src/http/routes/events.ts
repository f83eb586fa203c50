import { didYouMean } from "@tenterhook/internal";
import { latestEvents, latestEventsQuery, RUN_EVENT_TYPES } from "@tenterhook/protocol/runs";
import { z } from "zod";
import { permittedTypes } from "../../access/review-limits.ts";
import { type Cursor, parseCursor } from "../../events/feed.ts";
import { listLatestEvents } from "../../lists/event-list.ts";
import { Problem } from "../../problem.ts";
import { STREAM_HEADERS } from "../event-stream.ts";
import { type Operation, operation, SENT } from "../operation.ts";
import type { Services } from "../services.ts";

const query = z.strictObject({
  run_id: z.string().max(100).optional(),
  session_id: z.string().max(100).optional(),
  agent: z.string().max(63).optional(),
  types: z
    .string()
    .max(2_000)
    .transform((text) => text.split(",").map((type) => type.trim()))
    .optional()
    .describe("event types, separated by commas"),
  after: z.string().max(40).optional().describe("the id of the last event that is known; as Last-Event-ID"),
});

/** The stream of everything that happens. */
export function events({ coordinator: { database, feed }, streams, tokens }: Services): Operation[] {
  const follow = operation(
    "GET /events",
    {
      permission: "review",
      summary: "Follow events as they happen, as server-sent events",
      query,
      headers: { "Last-Event-ID": "the id of the last event that is known: nothing after it is missed" },
      responses: { 200: { mediaType: "text/event-stream" } },
    },
    async ({ query: { after, ...filter }, identity, incoming, outgoing }) => {
      const header = incoming.headers["last-event-id"];
      const known = (typeof header === "string" && header !== "" ? header : undefined) ?? after;
      const cursor = cursorOf(known);
      checkTypes(filter.types);
      if (incoming.method === "HEAD") {
        // Nothing would ever be written, not even the headers.
        outgoing.writeHead(200, STREAM_HEADERS).end();
        return SENT;
      }
      const types = permittedTypes(identity, filter.types);
      const watch = (ended: () => void) => tokens.watch(identity, ended);
      await streams.follow(outgoing, { ...filter, types }, cursor, watch);
      return SENT;
    },
  );

  const latest = operation(
    "GET /events/latest",
    {
      permission: "read",
      summary: "Read the latest events, in order",
      query: latestEventsQuery,
      responses: { 200: latestEvents },
    },
    async ({ query: { limit } }) => ({
      status: 200,
      body: await listLatestEvents(database, limit, feed.horizon),
    }),
  );

  return [follow, latest];
}

/** Refuses unknown types: the client would wait forever. */
function checkTypes(types: readonly string[] = []): void {
  const unknown = types.find((type) => !(RUN_EVENT_TYPES as readonly string[]).includes(type));
  if (unknown === undefined) return;
  const all = `The types are ${RUN_EVENT_TYPES.join(", ")}.`;
  throw new Problem("bad_request", `there is no event type "${unknown}"`, {
    field: "types",
    hint: `${didYouMean(unknown, RUN_EVENT_TYPES)} ${all}`.trimStart(),
  });
}

function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const cursor = parseCursor(text);
  if (cursor !== undefined && BigInt(cursor.xid) < 2n ** 64n) return cursor;
  throw new Problem("bad_request", "this is not the id of an event", { field: "after" });
}
