import { Agent, type AgentConfig, type AgentStreamEvent, type Message, tool } from "@strands-agents/sdk";
import { hooksPlugin, type StrandsOptions } from "@tenterhook/adapters/strands";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { EVENT_NAMES } from "@tenterhook/protocol";
import { z } from "zod";
import { type Answer, ScriptedModel } from "./scripted-model.ts";

/** An agent with hooks, a scripted model, and a tool that records its calls. */
export function hookedAgent(
  hooks: Hooks,
  answers: readonly (string | Answer)[],
  { options, ...config }: Partial<AgentConfig> & { readonly options?: StrandsOptions } = {},
) {
  const model = new ScriptedModel(answers);
  const runs: string[] = [];
  const shell = tool({
    name: "shell",
    description: "Runs a command.",
    inputSchema: z.object({ command: z.string() }),
    callback: ({ command }) => {
      runs.push(command);
      if (command === "fail") throw new Error("it failed");
      return `ran ${command}`;
    },
  });
  const agent = new Agent({
    model,
    printer: false,
    retryStrategy: null,
    ...config,
    tools: [shell, ...((config.tools as never[] | undefined) ?? [])],
    plugins: [hooksPlugin(hooks, options), ...(config.plugins ?? [])],
  });
  return { agent, model, runs };
}

/** One call of the tool, then a final answer. */
export function callThen(command: string, text = "done"): readonly (string | Answer)[] {
  return [{ calls: [{ name: "shell", input: { command } }] }, text];
}

/** Records which events were fired, in order. */
export function recordEvents(hooks: Hooks = createHooks()): {
  readonly hooks: Hooks;
  readonly fired: string[];
} {
  const fired: string[] = [];
  for (const event of EVENT_NAMES) {
    if (UNSUPPORTED.has(event)) continue;
    hooks.on(event, () => void fired.push(event), { name: `record ${event}` });
  }
  return { hooks, fired };
}

const UNSUPPORTED = new Set<string>([
  "session_end",
  "pre_compact",
  "permission_request",
  "notification",
  ...EVENT_NAMES.filter((event) => event.startsWith("on_") && event !== "on_error"),
]);

/** What the model read in a request, message by message: texts, calls and results. */
export function readTexts(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) =>
    content.flatMap((block) => {
      if (block.type === "textBlock") return [`${role}: ${block.text}`];
      if (block.type === "toolUseBlock") return [`call: ${block.name} ${JSON.stringify(block.input)}`];
      if (block.type !== "toolResultBlock") return [`${role}: ${block.type}`];
      const texts = block.content.map((part) =>
        part.type === "textBlock" ? part.text : JSON.stringify(part.toJSON()),
      );
      return [`${block.status}: ${texts.join(" | ")}`];
    }),
  );
}

/** The texts that a stream showed. */
export async function readStream(stream: AsyncIterable<AgentStreamEvent>): Promise<string> {
  let text = "";
  for await (const event of stream) {
    if (event.type !== "modelStreamUpdateEvent") continue;
    const { event: update } = event;
    if (update.type === "modelContentBlockDeltaEvent" && update.delta.type === "textDelta")
      text += update.delta.text;
  }
  return text;
}
