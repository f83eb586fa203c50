import { createAgent } from "@tenterhook/agent";
import { scriptedModel } from "@tenterhook/agent/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type AdapterSupport, AGENT_EVENTS } from "../../core/index.ts";
import { type Driver, runScenario, SCENARIOS } from "./index.ts";

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
  async run({ hooks, tools, script, prompt, isStreamed, decision }) {
    const requests: string[] = [];
    const answers = script.map((turn) => (request: { readonly messages: unknown }) => {
      requests.push(JSON.stringify(request.messages));
      return "error" in turn ? { error: new Error(turn.error) } : { text: turn.text, toolCalls: turn.calls };
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
      hooks,
      approve: () =>
        decision === "approve" ? { type: "approve" } : { type: "reject", reason: "rejected by a person" },
    });
    try {
      const run = isStreamed ? await agent.stream(prompt).finished : await agent.run(prompt);
      if (run.status === "completed") return { text: run.text, requests };
      return { error: run.reason, requests };
    } catch (error) {
      return { error: (error as Error).message, requests };
    }
  },
};

describe.each([false, true])("Tenterhook's own agent, streaming: %s,", (isStreamed) => {
  for (const scenario of SCENARIOS) {
    test(scenario.name, async () => {
      const { actual, expected } = await runScenario(reference, scenario, isStreamed);
      expect(actual).toEqual(expected);
    });
  }
});
