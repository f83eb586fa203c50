import { RUN_EVENT_TYPES } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { LocalFleet } from "../coordinator/local-fleet.ts";
import { fuzz, limitMs, type Volume } from "./fuzz.ts";
import { mutated, mutation } from "./mutate-json.ts";
import { oddJson, oddNumber, oddText, writeOut } from "./odd-values.ts";

const AT_ONCE = 6;

/** Results have to have this shape. */
const SHAPE = {
  type: "object",
  required: ["n"],
  properties: { n: { type: "integer", minimum: 0 }, tags: { type: "array", items: { type: "string" } } },
} as const;

let fleet: LocalFleet;
let runner: TestRunner;
beforeAll(async () => {
  fleet = await LocalFleet.open({ webhooks: { allowPrivate: true } });
  runner = await TestRunner.register(new ApiClient(fleet.served.url, fleet.served.token));
  await fleet.put({ name: "shaped", type: "procedural", command: ["true"], output_schema: SHAPE });
});
afterAll(() => fleet.close());

/** A run that the runner has started. Whichever it gets: they are all alike. */
async function startedRun() {
  await fleet.demand("POST", "/runs", { agent_name: "shaped", parameters: {} });
  const run = await runner.claim();
  await runner.report(run, "started");
  return run;
}

/** Sends a body that may have names of `writeOut` in it. */
async function send(path: string, body: string) {
  const answer = await fetch(new URL(path, fleet.served.url), {
    method: "POST",
    headers: { authorization: `Bearer ${fleet.served.token}`, "content-type": "application/json" },
    body: Buffer.from(writeOut(body)),
  });
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`it was answered ${answer.status}: ${text.slice(0, 500)}`);
  return { isTaken: answer.status < 300, status: answer.status };
}

const EVENTS: Volume = { short: 25, share: 0.01, atOnce: AT_ONCE, eachMs: 500 };

const reports = fc.record({
  first: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: oddNumber }),
  types: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("log", "text", "tool_start", "hook_acted", "note") },
      { weight: 1, arbitrary: fc.constantFrom<string>(...RUN_EVENT_TYPES) },
      { weight: 1, arbitrary: oddText },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  data: fc.oneof(
    fc
      .tuple(fc.constant({ text: "said", more: { of: ["it"] } }), fc.array(mutation, { maxLength: 3 }))
      .map(([value, mutations]) => mutated(value, mutations)),
    oddJson,
  ),
  ms_ago: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: oddNumber }),
});

const OWN = /^(?:run|approval|session|runner)_|^hook_(?!acted$)/;
const own = new Set(RUN_EVENT_TYPES.filter((type) => OWN.test(type)));

test(
  "of any events that a runner reports all are stored or none, and none that only the coordinator may record",
  async () => {
    await fuzz("event reports", EVENTS, reports, async ({ first, types, data, ms_ago }) => {
      const { run_id, lease_token } = await startedRun();
      const storedEvents = async () => {
        const path = `/runs/${run_id}/events?limit=200`;
        return (await fleet.demand<{ events: { event_type: string }[] }>("GET", path)).events;
      };
      const before = (await storedEvents()).length;
      const events = types.map((event_type) => ({ event_type, data, ms_ago }));
      const body = JSON.stringify({ lease_token, first, events });
      const { isTaken, status } = await send(`/runner/runs/${run_id}/events`, body);
      const added = (await storedEvents()).slice(before).map(({ event_type }) => event_type);
      const foreign = types.find((type) => own.has(type as never));
      if (isTaken && foreign !== undefined) throw new Error(`${foreign} was taken from a runner`);
      const expected = isTaken ? types.length : 0;
      if (added.length !== expected)
        throw new Error(`after a ${status} there are ${added.length} more events, of ${types.length}`);
      await runner.report({ run_id, lease_token }, "failed", { error: "done with" });
    });
  },
  limitMs("event reports", EVENTS),
);

const RESULTS: Volume = { short: 25, share: 0.01, atOnce: AT_ONCE, eachMs: 500 };

const results = fc.record({
  result_data: fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.constantFrom<object>({ n: 1 }, { n: 0, tags: ["a"] }, { n: -1 }, { n: "1" }, {}),
          fc.array(mutation, { maxLength: 2 }),
        )
        .map(([value, mutations]) => mutated(value, mutations)),
    },
    { weight: 1, arbitrary: oddJson },
  ),
  result_text: fc.oneof(fc.constant(null), oddText),
});

/** Whether a result has the shape, by rules of our own. */
function isShaped(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(writeOut(text));
  } catch {
    return false;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { n, tags = [] } = value as { n?: unknown; tags?: unknown };
  const areTexts = Array.isArray(tags) && tags.every((tag) => typeof tag === "string");
  return Number.isInteger(n) && Number(n) >= 0 && areTexts;
}

test(
  "for any result that a runner reports, the run completes only with one of its agent's shape",
  async () => {
    await fuzz("results", RESULTS, results, async ({ result_data, result_text }) => {
      const { run_id, lease_token } = await startedRun();
      const data = JSON.stringify(result_data) ?? "null";
      const { isTaken, status: answered } = await send(
        `/runner/runs/${run_id}/completed`,
        `{"lease_token":${JSON.stringify(lease_token)},"result_text":${JSON.stringify(result_text)},"result_data":${data}}`,
      );
      const run = await fleet.demand<{ status: string }>("GET", `/runs/${run_id}`);
      const isFine = run.status === (isTaken ? (isShaped(data) ? "completed" : "failed") : "running");
      if (!isFine) throw new Error(`after a ${answered} the run is ${run.status}`);
      if (!isTaken) await runner.report({ run_id, lease_token }, "failed", { error: "done with" });
    });
  },
  limitMs("results", RESULTS),
);
