import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createAgent } from "@tenterhook/agent";
import { scriptedModel } from "@tenterhook/agent/testing";
import { createHooks, type EventName, type Hooks } from "@tenterhook/engine";
import { generateText } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { measure, measureAdded, type Row, type Suite } from "../measure.ts";

/** What hooks cost an agent, against what the step costs anyway. */
export const agentSuite: Suite = { hooksInAStep, memoryOfALongRun, memoryOfManyRuns };

const STEP_EVENTS = [
  "before_step",
  "before_llm",
  "after_llm",
  "before_tool",
  "after_tool",
  "after_step",
] as const satisfies readonly EventName[];

const STEPS_PER_RUN = 20;
const HOOKS = 20;

const tools = { echo: { inputSchema: { type: "object" }, execute: (input: unknown) => input } };
const callEcho = { toolCalls: [{ name: "echo", input: { text: "hi" } }] };

async function hooksInAStep(): Promise<Row[]> {
  const spread = createHooks();
  for (let n = 0; n < HOOKS; n++) noOp(spread, STEP_EVENTS[n % STEP_EVENTS.length] ?? "before_step", n);
  const everywhere = createHooks();
  for (const event of STEP_EVENTS) for (let n = 0; n < HOOKS; n++) noOp(everywhere, event, n);
  const bare = stepsOf(createHooks());
  const best = await measure({ bare, generateText: generateTextCalls() }, { rounds: 100, times: 100 });
  const often = { rounds: 400, times: 100 };
  const against = "one generateText call on the SDK's mock model";
  const theirs = best.generateText;
  return [
    {
      what: "what 20 no-op hooks add to a step with a tool call",
      against,
      ours: Math.max(0, await measureAdded(bare, stepsOf(spread), often)),
      theirs,
      // docs/decisions/2026-11-17-hooks-in-a-step.md says why not less.
      bar: { most: 0.06 },
    },
    {
      what: "the same with 20 on each of its six events",
      against,
      ours: Math.max(0, await measureAdded(bare, stepsOf(everywhere), often)),
      theirs,
    },
    { what: "a whole step without hooks, on a bare port", against, ours: best.bare, theirs },
  ];
}

/** Each hook is a function of its own, as twenty rules would be. */
function noOp(hooks: Hooks, event: EventName, n: number): void {
  hooks.on(event, new Function("context", `if (context.never === ${n}) return 1;`) as () => undefined);
}

function stepsOf(hooks: Hooks): (times: number) => Promise<void> {
  const model = scriptedModel([callEcho], { repeat: true, record: false });
  const agent = createAgent({ model, hooks, tools, maxSteps: STEPS_PER_RUN });
  return async (times) => {
    for (let steps = 0; steps < times; steps += STEPS_PER_RUN) await agent.run("Go on.");
  };
}

function generateTextCalls(): (times: number) => Promise<void> {
  const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: "text", text: "Hello!" }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: { inputTokens: count, outputTokens: { total: 1, text: 1, reasoning: 0 } },
      warnings: [],
    }),
  });
  return async (times) => {
    for (let n = 0; n < times; n++) {
      // The mock keeps every call; that is not the price of a call.
      model.doGenerateCalls.length = 0;
      await generateText({ model, prompt: "Go on." });
    }
  };
}

async function memoryOfALongRun(): Promise<Row[]> {
  const early = 1_000;
  const all = 10_000;
  const heap: number[] = [];
  const hooks = createHooks();
  for (const event of STEP_EVENTS) noOp(hooks, event, 0);
  hooks.on("after_step", ({ stepIndex }) => {
    if (stepIndex === early || stepIndex === all - 1) heap.push(heapAfterCollection());
  });
  const model = scriptedModel([callEcho], { repeat: true, record: false });
  const summary = scriptedModel(["So far, so good."], { repeat: true, record: false, modelId: "summary" });
  hooks.on("before_llm", ({ context }) =>
    context?.purpose === "compaction" ? { type: "proceed", patch: { model: "summary" } } : undefined,
  );
  const compaction = { maxTokens: 2_000, keepMessages: 4 };
  await createAgent({ model, models: { summary }, hooks, tools, compaction, maxSteps: all }).run("Go on.");
  return [flat("heap after 10,000 steps of one run, compacted as it grows", "after 1,000", heap)];
}

async function memoryOfManyRuns(): Promise<Row[]> {
  const heap: number[] = [];
  const hooks = createHooks();
  for (const event of STEP_EVENTS) noOp(hooks, event, 0);
  const run = stepsOf(hooks);
  await run(1_000);
  heap.push(heapAfterCollection());
  await run(9_000);
  heap.push(heapAfterCollection());
  return [flat("heap after 10,000 steps in runs of 20", "after 1,000", heap)];
}

function flat(what: string, against: string, [theirs = 0, ours = Number.POSITIVE_INFINITY]: number[]): Row {
  return { what, against, ours, theirs, unit: "bytes", bar: { most: 1.05 } };
}

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let n = 0; n < 4; n++) collect();
  return process.memoryUsage().heapUsed;
}
