// One run with one tool call on a scripted model, plain against hooks: `node bench.mjs`.
import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  Agent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  ExecuteToolStage,
  InvokeModelStage,
  MessageAddedEvent,
  Model,
  tool,
} from "@strands-agents/sdk";
import { hooksPlugin } from "@tenterhook/adapters/strands";
import { createHooks } from "@tenterhook/engine";
import { z } from "zod";
import { measureRuns, quietCalls, quietHooks } from "../bench.mjs";

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

/** What a program would write that has twenty functions and no engine, at the same extension points. */
function pluginByHand() {
  const call = quietCalls();
  return {
    name: "by-hand",
    initAgent(agent) {
      for (const event of [
        BeforeInvocationEvent,
        MessageAddedEvent,
        BeforeModelCallEvent,
        AfterModelCallEvent,
      ])
        agent.addHook(event, () => undefined);
      for (const event of [BeforeToolCallEvent, AfterInvocationEvent]) agent.addHook(event, () => undefined);
      agent.addMiddleware(InvokeModelStage, async function* (context, next) {
        const messages = structuredClone(context.messages.map((message) => message.toJSON()));
        call("before_llm", { messages });
        // A text that a function may refuse is shown when all of them have seen it.
        const events = [];
        const stream = next(context);
        let part = await stream.next();
        for (; !part.done; part = await stream.next()) events.push(part.value);
        call("after_llm", { messages, result: part.value });
        yield* events;
        return part.value;
      });
      agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
        const toolInput = structuredClone(context.toolUse.input);
        call("before_tool", { toolInput });
        const toolResult = yield* next(context);
        call("after_tool", { toolInput, toolResult });
        return toolResult;
      });
    },
  };
}

await measureRuns("Strands", {
  plain: newRun([]),
  "twenty functions by hand": newRun([pluginByHand()]),
  "empty set": newRun([hooksPlugin(createHooks())]),
  "twenty quiet hooks": newRun([hooksPlugin(quietHooks(createHooks))]),
});
