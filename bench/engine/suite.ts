import { createHooks, type Hooks } from "@tenterhook/engine";
import { snapshot } from "@tenterhook/engine/host";
import { EVENT_NAMES } from "@tenterhook/protocol";
import { createHooks as createHookable } from "hookable";
import { AsyncSeriesHook } from "tapable";
import { measure, type Row, type Suite } from "../measure.ts";
import { asyncBodies, payloadAt, type Subject, syncBodies } from "./bodies.ts";
import { guarded } from "./guarded.ts";
import { ownBodies } from "./own-bodies.ts";
import {
  hookEventListener,
  runnerTallies,
  spansNotSetUp,
  spansRecorded,
  traceListener,
  traceReader,
} from "./watched.ts";

/** Short rounds, and many: on a busy machine a long one is always disturbed. */
const ROUNDS = { rounds: 500, times: 5_000 };

/** What the engine costs, against the plugin systems that people know and against bare loops. */
export const engineSuite: Suite = {
  tenSyncHooks,
  traceOnAndOff,
  traceListener,
  traceReader,
  runnerTallies,
  hookEventListener,
  spansNotSetUp,
  spansRecorded,
  tenAsyncHooks,
  noHooks,
  threeOfAThousand,
  frozenCopies,
};

async function tenSyncHooks(): Promise<Row[]> {
  const ours = await ownBodies("ours");
  const theirs = await ownBodies("theirs");
  const hooks = guarded(createHooks(), ours.syncBodies);
  const tapable = new AsyncSeriesHook<[Subject]>(["subject"]);
  for (const [index, body] of theirs.syncBodies.entries())
    tapable.tap({ name: `rule-${index}`, stage: -index }, body);
  const hookable = createHookable<{ tool: (subject: Subject) => void }>();
  for (const body of theirs.syncBodies) hookable.hook("tool", body);

  const best = await measure(
    {
      tapable: async (times) => {
        for (let i = 0; i < times; i++) await tapable.promise(payloadAt(i));
      },
      awaited: async (times) => {
        for (let i = 0; i < times; i++) await hooks.dispatch("before_tool", payloadAt(i));
      },
      hookable: async (times) => {
        for (let i = 0; i < times; i++) await hookable.callHook("tool", payloadAt(i));
      },
    },
    ROUNDS,
  );
  return [
    {
      what: "ten sync hooks, awaited",
      against: "tapable AsyncSeriesHook.promise",
      ours: best.awaited,
      theirs: best.tapable,
      bar: { most: 2.5 },
    },
    {
      what: "ten sync hooks, awaited",
      against: "hookable callHook",
      ours: best.awaited,
      theirs: best.hookable,
      bar: { least: 3 },
    },
  ];
}

async function traceOnAndOff(): Promise<Row[]> {
  const traced = guarded(createHooks(), syncBodies);
  const untraced = guarded(createHooks({ trace: false }), syncBodies);
  const run = (hooks: Hooks) => async (times: number) => {
    for (let i = 0; i < times; i++) await hooks.dispatch("before_tool", payloadAt(i));
  };
  const read = async (times: number) => {
    for (let i = 0; i < times; i++) void (await traced.dispatch("before_tool", payloadAt(i))).trace;
  };
  const best = await measure(
    { traced: run(traced), untraced: run(untraced), read },
    { rounds: 500, times: 500 },
  );
  const against = "the same with trace: false";
  return [
    { what: "ten sync hooks, trace on", against, ours: best.traced, theirs: best.untraced, bar: { most: 3 } },
    { what: "ten sync hooks, trace on and read", against, ours: best.read, theirs: best.untraced },
  ];
}

async function tenAsyncHooks(): Promise<Row[]> {
  const ours = await ownBodies("ours");
  const hooks = guarded(createHooks(), ours.asyncBodies);
  const best = await measure(
    {
      bare: async (times) => {
        for (let i = 0; i < times; i++) for (const body of asyncBodies) await body(payloadAt(i));
      },
      ours: async (times) => {
        for (let i = 0; i < times; i++) await hooks.dispatch("before_tool", payloadAt(i));
      },
    },
    { times: 10_000 },
  );
  return [
    {
      what: "ten async hooks, timeouts on",
      against: "a bare for … await loop",
      ours: best.ours,
      theirs: best.bare,
      bar: { most: 2.5 },
    },
  ];
}

/** All events in turn, each with a hook of its own on the other side: which keys a Map finds quickly is decided anew in each process. */
async function noHooks(): Promise<Row[]> {
  const hooks = guarded(createHooks(), syncBodies);
  const events = EVENT_NAMES.filter((event) => event !== "before_tool");
  const empty = events.map(() => new AsyncSeriesHook<[object]>(["subject"]));
  const best = await measure(
    {
      tapable: async (times) => {
        for (let i = 0; i < times; i += empty.length)
          for (const hook of empty) await hook.promise(NO_MESSAGES);
      },
      ours: async (times) => {
        for (let i = 0; i < times; i += events.length)
          // The payload is not looked at.
          for (const event of events) await hooks.dispatch(event as "before_llm", NO_MESSAGES);
      },
    },
    { rounds: 500, times: 5_000 },
  );
  return [
    {
      what: "a dispatch without hooks",
      against: "tapable AsyncSeriesHook.promise without hooks",
      ours: best.ours,
      theirs: best.tapable,
      bar: { most: 1.8 },
    },
  ];
}

const NO_MESSAGES = { messages: [] };

async function threeOfAThousand(): Promise<Row[]> {
  const few = guarded(createHooks(), syncBodies.slice(0, 3));
  const many = guarded(createHooks(), syncBodies.slice(0, 3));
  for (let n = 0; n < 997; n++)
    many.on("before_tool", () => undefined, { matcher: `other_tool_${n}`, priority: n });
  const run = (hooks: Hooks) => async (times: number) => {
    for (let i = 0; i < times; i++) await hooks.dispatch("before_tool", payloadAt(i));
  };
  const best = await measure({ few: run(few), many: run(many) }, ROUNDS);
  return [
    {
      what: "1,000 hooks of which 3 match the tool",
      against: "only those 3",
      ours: best.many,
      theirs: best.few,
      bar: { most: 1.5 },
    },
  ];
}

/** What a hook on the model is given: hosts copy and freeze a conversation before its hooks see it. */
async function frozenCopies(): Promise<Row[]> {
  const messages = Array.from({ length: 100 }, (_, index) =>
    index % 2 === 0
      ? { role: "user", content: `question ${index}` }
      : { role: "assistant", content: [{ type: "tool_use", id: `${index}`, input: { command: "ls" } }] },
  );
  const readRoles = (copies: typeof messages) => copies.reduce((sum, { role }) => sum + role.length, 0);
  const best = await measure(
    {
      ours: (times) => {
        for (let i = 0; i < times; i++) readRoles(snapshot([...messages]));
      },
      theirs: (times) => {
        for (let i = 0; i < times; i++) readRoles(structuredClone(messages));
      },
    },
    { rounds: 100, times: 50 },
  );
  return [
    {
      what: "a frozen copy of 100 messages",
      against: "structuredClone",
      ours: best.ours,
      theirs: best.theirs,
      bar: { most: 1 },
    },
  ];
}
