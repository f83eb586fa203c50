import { RUN_EVENT_TYPES } from "@tenterhook/protocol/runs";
import { ApiClient, TestRunner } from "@tenterhook/test-support";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
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
  const reply: unknown = text === "" ? undefined : JSON.parse(text);
  return { isTaken: answer.status < 300, status: answer.status, body: reply };
}

const EVENTS: Volume = { short: 25, share: 0.01, atOnce: AT_ONCE, eachMs: 500 };

const acted = { event: "before_tool", hook: "guard", action: "refuse", reason: "no", changed: ["a"] };
const tally = { hook: "guard", event: "before_tool", tool: "Shell", outcome: "passed", count: 1 };
const usage = { model: "large", input_tokens: 1, output_tokens: 2 };

/** What the coordinator counts, and what else a runner says. */
const SOUND: readonly (readonly [type: string, data: object])[] = [
  ["hook_acted", acted],
  ["hook_acted", { ...acted, tallied: true, not_enforced: "would_block" }],
  ["hook_tallies", { tallies: [{ ...tally, duration_ms: 1, durations: [1] }] }],
  ["step_end", { step: 1, status: "completed", usage }],
  ["subagent", { subagent: "helper", tool_use_id: "c", event: { event_type: "hook_acted", ...acted } }],
  ["log", { text: "said" }],
  ["note", { more: { of: ["it"] } }],
];

/** A word in place of any text of an event: it still fits, and is nothing that the coordinator knows. */
const odd = fc
  .tuple(fc.constantFrom(...SOUND), fc.array(mutation, { maxLength: 2 }), fc.option(oddText))
  .map(([[event_type, data], mutations, word]) => {
    const worded = word === null ? data : withWord(data, word);
    return { event_type, data: mutated(worded, mutations) };
  });

function withWord(value: unknown, word: string): unknown {
  if (typeof value === "string") return word;
  if (Array.isArray(value)) return value.map((item) => withWord(item, word));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === "event_type" ? part : withWord(part, word)]),
  );
}

const foreign = fc
  .tuple(fc.oneof(fc.constantFrom<string>(...RUN_EVENT_TYPES), oddText), oddJson)
  .map(([event_type, data]) => ({ event_type, data }));

const reports = fc.record({
  first: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: oddNumber }),
  events: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: odd },
      { weight: 1, arbitrary: odd.chain((event) => oddNumber.map((ms_ago) => ({ ...event, ms_ago }))) },
      { weight: 1, arbitrary: foreign },
      { weight: 1, arbitrary: oddJson },
    ),
    { minLength: 1, maxLength: 4 },
  ),
});

const OWN = /^(?:run|approval|session|runner)_|^hook_(?!(?:acted|tallies)$)/;

interface Refused {
  readonly refused?: readonly { readonly index: number }[];
}

test(
  "of any events that a runner reports each is stored or replaced by a note, none is the coordinator's, and all are folded",
  async () => {
    await fuzz("event reports", EVENTS, reports, async ({ first, events }) => {
      const { run_id, lease_token } = await startedRun();
      const storedTypes = async () => {
        const path = `/runs/${run_id}/events?limit=200`;
        const page = await fleet.demand<{ events: { event_type: string }[] }>("GET", path);
        return page.events.map(({ event_type }) => event_type);
      };
      const before = (await storedTypes()).length;
      const { isTaken, status, body } = await send(
        `/runner/runs/${run_id}/events`,
        JSON.stringify({ lease_token, first, events }),
      );
      const { refused = [] } = (body ?? {}) as Refused;
      const isRefused = new Set(refused.map(({ index }) => index));
      const expected = events.map((event, index) =>
        isRefused.has(index) ? "events_dropped" : (event as { event_type?: string } | null)?.event_type,
      );
      const added = (await storedTypes()).slice(before);
      if (JSON.stringify(added) !== JSON.stringify(isTaken ? expected : []))
        throw new Error(`after a ${status} the events ${added} are stored, of ${expected}`);
      if ((status === 200) !== refused.length > 0 || isRefused.size === events.length)
        throw new Error(`the answer is ${status}, with ${refused.length} of ${events.length} refused`);
      const forged = added.find((type) => OWN.test(type));
      if (forged !== undefined) throw new Error(`${forged} was taken from a runner`);
      await runner.report({ run_id, lease_token }, "failed", { error: "done with" });
    });
    await expectFolded();
  },
  limitMs("event reports", EVENTS),
);

/** Every event is counted, or was never to be: none was set aside, and the numbers can be read. */
async function expectFolded(): Promise<void> {
  const readInsights = () => fleet.demand<{ behind_seconds: number }>("GET", "/insights?range=hour");
  await expect.poll(async () => (await readInsights()).behind_seconds).toBe(0);
  expect(fleet.served.coordinator.failures.setAside).toBe(0);
  for (const path of ["/hooks-in-use", "/runs?decision=blocked", "/events/latest"])
    expect((await fleet.ask("GET", path)).status).toBe(200);
}

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
