import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { hooksMiddleware } from "@tenterhook/adapters/langchain";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { createAgent, tool } from "langchain";
import { measure, type Row } from "../measure.ts";
import { MODEL_AND_TOOL_EVENTS, quietHooks, RUN_EVENTS } from "./quiet-hooks.ts";

/** What hooks add to a run with one tool call. LangGraph needs some milliseconds for it, most of them for its own steps. */
export async function langChainRun(): Promise<Row[]> {
  const contenders = {
    plain: runs(),
    empty: runs(createHooks()),
    quiet: runs(quietHooks(MODEL_AND_TOOL_EVENTS)),
    all: runs(quietHooks(RUN_EVENTS)),
  };
  for (const contender of Object.values(contenders)) await contender(200);
  const best = await measure(contenders, { rounds: 150, times: 2 });
  const against = "the same run without the middleware";
  const theirs = best.plain;
  return [
    {
      what: "LangChain: a run with a tool call and an empty set of hooks",
      against,
      ours: best.empty,
      theirs,
      bar: { most: 1.15 },
    },
    {
      what: "the same with 20 no-op hooks on model and tool events",
      against,
      ours: best.quiet,
      theirs,
      bar: { most: 1.5 },
    },
    {
      what: "the same with 20 no-op hooks on all events",
      against,
      ours: best.all,
      theirs,
      bar: { most: 2.5 },
    },
  ];
}

function runs(hooks?: Hooks): (times: number) => Promise<void> {
  const echo = tool(({ text }: { text: string }) => text, {
    name: "echo",
    schema: { type: "object", properties: { text: { type: "string" } } },
  });
  const middleware = hooks === undefined ? [] : [hooksMiddleware(hooks)];
  const agent = createAgent({ model: new EchoModel({}), tools: [echo], middleware });
  return async (times) => {
    for (let n = 0; n < times; n++) await agent.invoke({ messages: [new HumanMessage("Hello")] });
  };
}

/** Calls the tool once, then answers. */
class EchoModel extends BaseChatModel {
  override _llmType(): string {
    return "echo";
  }

  override bindTools(tools: unknown[], settings?: object) {
    return this.withConfig({ tools, ...settings } as never);
  }

  override async _generate(messages: BaseMessage[]) {
    const message =
      messages.at(-1)?.getType() === "tool"
        ? new AIMessage("Done.")
        : new AIMessage({
            content: "",
            tool_calls: [{ type: "tool_call", id: "1", name: "echo", args: { text: "hi" } }],
          });
    return { generations: [{ text: message.text, message }] };
  }
}
