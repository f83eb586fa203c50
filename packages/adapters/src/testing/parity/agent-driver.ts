import { type Agent, createAgent, type RunStream } from "@tenterhook/agent";
import { type ScriptedModel, scriptedModel } from "@tenterhook/agent/testing";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { listEffects } from "@tenterhook/engine/host";
import type { EventName } from "@tenterhook/protocol";
import { z } from "zod";
import { AGENT_EVENTS, type EventSupport, readHooks } from "../../core/index.ts";
import type { Driver, DriverSupport, ScriptedAnswer } from "./scenario.ts";
import { isDelegation } from "./script-parts.ts";

const LOOP = "its own loop";

/** Events of other programs: it asks its approver, and notifies nothing. */
const NOT_FIRED: readonly EventName[] = ["permission_request", "notification"];

/** It carries every effect that an event has. */
export const AGENT_SUPPORT: DriverSupport = {
  name: "Tenterhook's agent",
  events: Object.fromEntries(
    AGENT_EVENTS.filter((event) => !NOT_FIRED.includes(event)).map((event): [EventName, EventSupport] => [
      event,
      { level: "full", effects: listEffects(event), by: LOOP },
    ]),
  ),
  around: { around_llm: LOOP, around_tool: LOOP },
};

const PATHS = { paths: z.array(z.string()) };

/** Runs scenarios with Tenterhook's own agent. */
export const agentDriver: Driver = {
  name: "Tenterhook's agent",
  support: AGENT_SUPPORT,
  canStream: true,
  build: (hooks) => createAgent({ model: scriptedModel([]), hooks }),
  async run({ hooks, tools, script, subagents, prompt, isStreamed, decision, signal, maxSteps, onText }) {
    const requests: string[] = [];
    const answers = script.map((turn) => (request: { readonly messages: unknown }) => {
      requests.push(JSON.stringify(request.messages));
      return toAnswer(turn);
    });
    const newAgent = (name: string, model: ScriptedModel, subagents: readonly Agent[], set: Hooks) =>
      createAgent({
        name,
        model,
        subagents,
        tools: Object.fromEntries(
          tools.map(({ name, takesPaths, execute }) => [
            name,
            {
              description: name,
              inputSchema: z.object({ command: z.string(), ...(takesPaths && PATHS) }),
              execute: async (input: { command: string }) => execute(input),
            },
          ]),
        ),
        hooks: set,
        approve: () =>
          decision === "approve" ? { type: "approve" } : { type: "reject", reason: "rejected by a person" },
      });
    // They have the hooks of the agent that delegates.
    const helpers = Object.entries(subagents).map(([name, turns]) =>
      newAgent(name, scriptedModel(turns.map(toAnswer)), [], createHooks()),
    );
    const agent = newAgent("agent", scriptedModel(answers), helpers, readHooks(hooks));
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

function toAnswer(turn: ScriptedAnswer) {
  if ("error" in turn) return { error: new Error(turn.error) };
  if ("wait" in turn || turn.calls === undefined) return { text: turn.text };
  const toolCalls = turn.calls.map((call) =>
    isDelegation(call.name) ? { ...call, input: { task: call.input.command } } : call,
  );
  return { text: turn.text, toolCalls };
}

async function readStream(stream: RunStream, onText: () => void) {
  for await (const event of stream) if (event.type === "text_delta") onText();
  return stream.finished;
}
