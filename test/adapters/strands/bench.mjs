// One run with one tool call on a scripted model, plain against hooks: `node bench.mjs`.
import { Agent, Model, tool } from "@strands-agents/sdk";
import { hooksPlugin } from "@tenterhook/adapters/strands";
import { createHooks } from "@tenterhook/engine";
import { z } from "zod";
import { measureRuns, quietHooks } from "../bench.mjs";

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

function newRun(plugins) {
  const echo = tool({
    name: "echo",
    description: "Echoes.",
    inputSchema: z.object({ text: z.string() }),
    callback: ({ text }) => text,
  });
  const agent = new Agent({ model: new TwoAnswers(), tools: [echo], printer: false, plugins });
  return () => {
    agent.messages.length = 0;
    return agent.invoke("go");
  };
}

await measureRuns("Strands", {
  plain: newRun([]),
  "empty set": newRun([hooksPlugin(createHooks())]),
  "twenty quiet hooks": newRun([hooksPlugin(quietHooks(createHooks))]),
});
