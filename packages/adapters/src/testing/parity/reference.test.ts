import { createAgent, type RunStream } from "@tenterhook/agent";
import { scriptedModel } from "@tenterhook/agent/testing";
import { z } from "zod";
import { type AdapterSupport, AGENT_EVENTS, readHooks } from "../../core/index.ts";
import { type Driver, testScenarios } from "./index.ts";

const FULL = {
  level: "full",
  effects: ["patch", "block", "skip", "ask", "stop", "recover", "context"],
  by: "its own loop",
} as const;

const support: AdapterSupport = {
  adapter: "ai-sdk",
  name: "Tenterhook's agent",
  peer: { package: "@tenterhook/agent", range: "*", versions: [""] },
  events: Object.fromEntries(AGENT_EVENTS.map((event) => [event, FULL])),
  around: { around_llm: "its own loop", around_tool: "its own loop" },
};

/** Tenterhook's own agent, which defines what the scenarios expect. */
const reference: Driver = {
  name: "Tenterhook's agent",
  support,
  canStream: true,
  build: (hooks) => createAgent({ model: scriptedModel([]), hooks }),
  async run({ hooks, tools, script, prompt, isStreamed, decision, signal, maxSteps, onText }) {
    const requests: string[] = [];
    const answers = script.map((turn) => (request: { readonly messages: unknown }) => {
      requests.push(JSON.stringify(request.messages));
      if ("error" in turn) return { error: new Error(turn.error) };
      return "wait" in turn ? { text: turn.text } : { text: turn.text, toolCalls: turn.calls };
    });
    const agent = createAgent({
      model: scriptedModel(answers),
      tools: Object.fromEntries(
        tools.map(({ name, execute }) => [
          name,
          {
            description: name,
            inputSchema: z.object({ command: z.string() }),
            execute: async (input: { command: string }) => execute(input),
          },
        ]),
      ),
      hooks: readHooks(hooks),
      approve: () =>
        decision === "approve" ? { type: "approve" } : { type: "reject", reason: "rejected by a person" },
    });
    try {
      const request = { signal, maxSteps };
      const run = isStreamed
        ? await readStream(agent.stream(prompt, request), onText)
        : await agent.run(prompt, request);
      // A stream does not reject: an error of a hook on after_agent stands beside the answer.
      if (run.error !== undefined) throw run.error;
      if (run.status === "completed") return { text: run.text, requests };
      return { error: run.reason, requests };
    } catch (error) {
      return { error: (error as Error).message, requests };
    }
  },
};

async function readStream(stream: RunStream, onText: () => void) {
  for await (const event of stream) if (event.type === "text_delta") onText();
  return stream.finished;
}

testScenarios(reference);
