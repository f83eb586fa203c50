import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { adapterSupport } from "@tenterhook/adapters";
import { withHooks } from "@tenterhook/adapters/claude-agent-sdk";
import { z } from "zod";
import { createHome } from "./claude-home.ts";
import { type Answer, type Script, startMessagesServer } from "./messages-server.ts";
// Not an entry point: the scenarios are for tests. From the installed copy, so that there is one engine.
import {
  type Driver,
  isDelegation,
  SCENARIOS,
  type ScriptedAnswer,
  type SubagentScripts,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";

const support = adapterSupport().find(({ adapter }) => adapter === "claude-agent-sdk");
if (support === undefined) throw new Error("the adapter has no support table");

const SERVER = "mcp__s__";

const PATHS = { paths: z.array(z.string()) };

/** Claude Code with the tools of a scenario as an MCP server. Events name the tools as Claude does, and results are lists of parts. */
export const driver: Driver = {
  name: "Claude Agent SDK",
  support,
  canStream: false,
  get differences() {
    return Object.fromEntries(SCENARIOS.map(({ name, events }) => [name, describeDifferences(name, events)]));
  },
  build: (hooks, options) => withHooks(query, hooks, options),
  async run({ hooks, tools, script, subagents, prompt, decision, signal, maxSteps }) {
    const abortController = new AbortController();
    signal.addEventListener("abort", () => abortController.abort(signal.reason), { once: true });
    const server = await startMessagesServer(writeScript(script, subagents));
    const home = createHome(server.url);
    const names = tools.map(({ name }) => `${SERVER}${name}`);
    // Claude Code executes tools that only read beside its subagents and each other, and others one after another.
    const isParallel = (answer: ScriptedAnswer) => "calls" in answer && (answer.calls?.length ?? 0) > 1;
    const annotations = { readOnlyHint: Object.keys(subagents).length > 0 || script.some(isParallel) };
    const mcpTools = tools.map(({ name, takesPaths, execute }) =>
      tool(
        name,
        name,
        { command: z.string(), ...(takesPaths && PATHS) },
        async (input: { command: string }) => ({
          content: [{ type: "text", text: String(await execute(input)) }],
        }),
        { annotations },
      ),
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
          ...home.options,
          abortController,
          ...(maxSteps !== undefined && { maxTurns: maxSteps }),
          mcpServers: { s: createSdkMcpServer({ name: "s", tools: mcpTools }) },
          allowedTools: names,
          canUseTool: async (_name, input) =>
            decision === "approve"
              ? { behavior: "allow", updatedInput: input }
              : { behavior: "deny", message: "rejected by a person" },
        },
      });
      for await (const message of running)
        if (message.type === "result" && message.subtype === "success") text = message.result;
    } catch (thrown) {
      error = (thrown as Error).message;
      text = undefined;
    } finally {
      await home.remove();
      await server.close();
    }
    return { text, error, requests: server.requests.map(({ messages }) => JSON.stringify(messages)) };
  },
};

/** The answers of the agent, and of those that it delegates to, which are found by their task. */
function writeScript(script: readonly ScriptedAnswer[], subagents: SubagentScripts): Script {
  const answers = script.map(toAnswer);
  const helpers = Object.entries(subagents).map(([name, turns]) => ({ name, answers: turns.map(toAnswer) }));
  if (helpers.length === 0) return answers;
  return ({ messages }) => {
    const task = JSON.stringify(messages[0]);
    const helper = helpers.find(({ name }) => task.includes(`the task of ${name}`));
    return (helper?.answers ?? answers).shift() ?? "";
  };
}

function toAnswer(answer: ScriptedAnswer): Answer {
  if ("error" in answer) return { status: 400 };
  const { text, calls } = answer;
  if (calls === undefined) return text ?? "";
  return {
    calls: calls.map(({ id, name, input }) =>
      isDelegation(name)
        ? { id: `toolu_${id}`, name: "Task", input: delegationTo(name, String(input.command)) }
        : { id: `toolu_${id}`, name: `${SERVER}${name}`, input },
    ),
  };
}

/** Not in the background, which is the default of Claude Code. */
function delegationTo(description: string, prompt: string) {
  return { description, prompt, subagent_type: "general-purpose", run_in_background: false };
}

/** What Claude Code does in its own way: its names of tools, the shape of their results, and its errors. */
function describeDifferences(name: string, events: readonly string[] | undefined) {
  const named = events?.map((event) =>
    event
      .replace(/^(\w*_tool\w*) (Shell|Pack)/, `$1 ${SERVER}$2`)
      .replace(/completed ("ran [\w ,]+")$/, 'completed [{"type":"text","text":$1}]'),
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

const ONLY_ONCE = `a wrapper called next() again, but the Claude Agent SDK executes this call of "${SERVER}Shell" only once. Return or throw what the first next() gave.`;

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
  // Claude Code executes each call once: the second `next` rejects.
  "executes a tool again for a wrapper that tries again after a failure": {
    executed: ["flaky"],
    events: [
      "before_agent Hello",
      `before_tool ${SERVER}Shell flaky`,
      `after_tool_failure ${SERVER}Shell flaky failed on around_tool: ${ONLY_ONCE}`,
      `on_error tool on around_tool: ${ONLY_ONCE}`,
      "after_step 0 completed",
      "after_step 1 completed",
      "before_stop no_tool_calls",
      "after_agent completed",
    ],
    reads: { 1: ["the disk is busy", "executes this call of"] },
    neverReads: [],
  },
  // Its own texts.
  "ends a run that is aborted before the model is called": { outcome: { error: "aborted" } },
  "ends a run that is aborted while a tool runs": { outcome: { error: "aborted" } },
  "does not execute a call during whose evaluation the caller aborts the run": {
    outcome: { error: "aborted" },
  },
  "ends a subagent when the caller aborts the run": { outcome: { error: "aborted" } },
  // Claude Code does not tell why a subagent stops.
  "says of a subagent whose model fails that it stopped by an error": {
    notes: ["subagent_stop no_tool_calls"],
  },
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
