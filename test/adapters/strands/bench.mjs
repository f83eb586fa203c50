// One run with one tool call on a scripted model, plain against hooked. Prints a table; fails if a bar is missed by more than a third.
import { Agent, Model, tool } from "@strands-agents/sdk";
import { hooksPlugin } from "@tenterhook/adapters/strands";
import { createHooks } from "@tenterhook/engine";
import { z } from "zod";

const ROUNDS = 6;
const WARM_UPS = 200;
const RUNS = 60;
const BARS = { empty: 1.1, "twenty quiet hooks": 1.3 };

class TwoAnswers extends Model {
  #isSecond = false;

  updateConfig() {}

  getConfig() {
    return { modelId: "scripted" };
  }

  async *stream() {
    const isSecond = this.#isSecond;
    this.#isSecond = !isSecond;
    yield { type: "modelMessageStartEvent", role: "assistant" };
    if (isSecond) {
      yield { type: "modelContentBlockStartEvent" };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text: "done" } };
    } else {
      const start = { type: "toolUseStart", name: "echo", toolUseId: "1" };
      yield { type: "modelContentBlockStartEvent", start };
      yield {
        type: "modelContentBlockDeltaEvent",
        delta: { type: "toolUseInputDelta", input: '{"text":"a"}' },
      };
    }
    yield { type: "modelContentBlockStopEvent" };
    yield { type: "modelMessageStopEvent", stopReason: isSecond ? "endTurn" : "toolUse" };
  }
}

/** Hooks that only look, five on each event of the model and of tools. */
function quietHooks() {
  const hooks = createHooks();
  for (const event of ["before_llm", "after_llm", "before_tool", "after_tool"])
    for (let count = 0; count < 5; count++) hooks.on(event, () => undefined);
  return hooks;
}

function newAgent(plugins) {
  const echo = tool({
    name: "echo",
    description: "Echoes.",
    inputSchema: z.object({ text: z.string() }),
    callback: ({ text }) => text,
  });
  return new Agent({ model: new TwoAnswers(), tools: [echo], printer: false, plugins });
}

const variants = {
  plain: newAgent([]),
  empty: newAgent([hooksPlugin(createHooks())]),
  "twenty quiet hooks": newAgent([hooksPlugin(quietHooks())]),
};

async function run(agent) {
  agent.messages.length = 0;
  const startedAt = performance.now();
  await agent.invoke("go");
  return (performance.now() - startedAt) * 1000;
}

const best = Object.fromEntries(Object.keys(variants).map((name) => [name, Number.POSITIVE_INFINITY]));
for (const agent of Object.values(variants)) for (let count = 0; count < WARM_UPS; count++) await run(agent);
for (let round = 0; round < ROUNDS; round++) {
  for (let count = 0; count < RUNS; count++)
    for (const [name, agent] of Object.entries(variants)) best[name] = Math.min(best[name], await run(agent));
}

let isMissed = false;
for (const [name, time] of Object.entries(best)) {
  const ratio = time / best.plain;
  const bar = BARS[name];
  isMissed ||= bar !== undefined && ratio > bar * (4 / 3);
  const shown = bar === undefined ? "" : `${ratio.toFixed(2)}x (bar ${bar.toFixed(2)}x)`;
  console.log(`strands  ${name.padEnd(20)} ${time.toFixed(0).padStart(6)} µs  ${shown}`);
}
process.exitCode = isMissed ? 1 : 0;
