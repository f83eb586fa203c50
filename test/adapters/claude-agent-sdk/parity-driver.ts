import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { adapterSupport } from "@tenterhook/adapters";
import { withHooks } from "@tenterhook/adapters/claude-agent-sdk";
import { z } from "zod";
import { type Answer, startMessagesServer } from "./messages-server.ts";
// Not an entry point: the scenarios are for tests. From the installed copy, so that there is one engine.
import {
  type Driver,
  SCENARIOS,
  type ScriptedAnswer,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";

const support = adapterSupport().find(({ adapter }) => adapter === "claude-agent-sdk");
if (support === undefined) throw new Error("the adapter has no support table");

const SERVER = "mcp__s__";

/** Claude Code with the tools of a scenario as an MCP server. Events name the tools as Claude does, and results are lists of parts. */
export const driver: Driver = {
  name: "Claude Agent SDK",
  support,
  canStream: false,
  get differences() {
    return Object.fromEntries(SCENARIOS.map(({ name, events }) => [name, describeDifferences(name, events)]));
  },
  build: (hooks, options) => withHooks(query, hooks, options),
  async run({ hooks, tools, script, prompt, decision, signal, maxSteps }) {
    const abortController = new AbortController();
    signal.addEventListener("abort", () => abortController.abort(signal.reason), { once: true });
    const server = await startMessagesServer(script.map(toAnswer));
    const home = mkdtempSync(join(tmpdir(), "claude-"));
    const names = tools.map(({ name }) => `${SERVER}${name}`);
    const mcpTools = tools.map(({ name, execute }) =>
      tool(name, name, { command: z.string() }, async (input) => ({
        content: [{ type: "text", text: String(execute(input)) }],
      })),
    );
    let text: string | undefined;
    let error: string | undefined;
    try {
      const running = withHooks(
        query,
        hooks,
      )({
        prompt,
        options: {
          cwd: home,
          abortController,
          ...(maxSteps !== undefined && { maxTurns: maxSteps }),
          settingSources: [],
          model: "claude-sonnet-4-5",
          mcpServers: { s: createSdkMcpServer({ name: "s", tools: mcpTools }) },
          allowedTools: names,
          canUseTool: async (_name, input) =>
            decision === "approve"
              ? { behavior: "allow", updatedInput: input }
              : { behavior: "deny", message: "rejected by a person" },
          env: {
            PATH: process.env.PATH,
            HOME: home,
            CLAUDE_CONFIG_DIR: join(home, ".claude"),
            ANTHROPIC_BASE_URL: server.url,
            ANTHROPIC_API_KEY: "none",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          },
        },
      });
      for await (const message of running)
        if (message.type === "result" && message.subtype === "success") text = message.result;
    } catch (thrown) {
      error = (thrown as Error).message;
      text = undefined;
    } finally {
      await server.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
    return { text, error, requests: server.requests.map(({ messages }) => JSON.stringify(messages)) };
  },
};

function toAnswer(answer: ScriptedAnswer): Answer {
  if ("error" in answer) return { status: 400 };
  const { text, calls } = answer;
  if (calls === undefined) return text ?? "";
  return {
    calls: calls.map(({ id, name, input }) => ({ id: `toolu_${id}`, name: `${SERVER}${name}`, input })),
  };
}

/** What Claude Code does in its own way: its names of tools, the shape of their results, and its errors. */
function describeDifferences(name: string, events: readonly string[] | undefined) {
  const named = events?.map((event) =>
    event
      .replace(/^(\w*_tool\w*) Shell/, `$1 ${SERVER}Shell`)
      .replace(/completed ("ran \w+")$/, 'completed [{"type":"text","text":$1}]'),
  );
  return { ...(named !== undefined && { events: named }), ...OTHERS[name] };
}

const LIMIT = "fires the events at the end of a run that reaches its limit of steps, once";
const MODEL_ERROR = "API Error: 400 the model failed";

/** No event tells that a model call ended. */
const FAILED_MODEL = {
  outcome: { error: MODEL_ERROR },
  events: [
    "before_agent Hello",
    `on_error llm ${MODEL_ERROR}`,
    `agent_failed ${MODEL_ERROR}`,
    "after_agent failed",
  ],
};

const OTHERS: NonNullable<Driver["differences"]> = {
  // A refused message is not an error of the query, but its result.
  "does not call the model for a message that a hook refuses": {
    outcome: { text: "UserPromptSubmit operation blocked by hook:\nclosed today" },
  },
  "fails the run with the error of the model, which hooks are offered first": FAILED_MODEL,
  "fails the run with the error of the model when a guard on that error fails": FAILED_MODEL,
  "fails the run with its own error when a hook on the failed run fails": FAILED_MODEL,
  "does nothing of what hooks on a failed model call would have done that are not enforced": FAILED_MODEL,
  // A wrapper gets the result as Claude Code has it: a list of parts.
  "calls the wrappers of a tool call around it": {
    events: [
      "before_agent Hello",
      `before_tool ${SERVER}Shell ls`,
      `after_tool ${SERVER}Shell ls completed "wrapped: [object Object]"`,
      "after_step 0 completed",
      "after_step 1 completed",
      "before_stop no_tool_calls",
      "after_agent completed",
    ],
    reads: { 1: ["wrapped: "] },
  },
  // Its own texts.
  "ends a run that is aborted before the model is called": { outcome: { error: "aborted" } },
  "ends a run that is aborted while a tool runs": { outcome: { error: "aborted" } },
  // Claude Code does not ask whether an agent may stop at its limit.
  [LIMIT]: {
    outcome: { error: "Reached maximum number of turns (1)" },
    events: [
      "before_agent Hello",
      `before_tool ${SERVER}Shell ls`,
      `after_tool ${SERVER}Shell ls completed [{"type":"text","text":"ran ls"}]`,
      "after_step 0 completed",
      "after_agent stopped",
    ],
  },
};
