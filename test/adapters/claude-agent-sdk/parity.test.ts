import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { adapterSupport } from "@tenterhook/adapters";
import { withHooks } from "@tenterhook/adapters/claude-agent-sdk";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Answer, startMessagesServer } from "./messages-server.ts";
// Not an entry point: the scenarios are for tests. From the installed copy, so that there is one engine.
import {
  canShow,
  type Driver,
  runScenario,
  SCENARIOS,
  type ScriptedAnswer,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";

const support = adapterSupport().find(({ adapter }) => adapter === "claude-agent-sdk");
if (support === undefined) throw new Error("the adapter has no support table");

const SERVER = "mcp__s__";

/** Claude Code with the tools of a scenario as an MCP server. Events name the tools as Claude does, and results are lists of parts. */
const driver: Driver = {
  name: "Claude Agent SDK",
  support,
  canStream: false,
  differences: Object.fromEntries(
    SCENARIOS.map(({ name, events }) => [name, describeDifferences(name, events)]),
  ),
  async run({ hooks, tools, script, prompt, decision }) {
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

/** The names of tools, and the shape of their results. A refused message is not an error of the query, but its result. */
function describeDifferences(name: string, events: readonly string[] | undefined) {
  const named = events?.map((event) =>
    event
      .replace(/^(\w*_tool\w*) Shell/, `$1 ${SERVER}Shell`)
      .replace(/completed ("ran \w+")$/, 'completed [{"type":"text","text":$1}]'),
  );
  const refusal = { text: "UserPromptSubmit operation blocked by hook:\nclosed today" };
  return {
    ...(named !== undefined && { events: named }),
    ...(name.startsWith("does not call the model for a message") && { outcome: refusal }),
  };
}

describe("the Claude Agent SDK, as Tenterhook's own agent,", () => {
  for (const scenario of SCENARIOS.filter((each) => canShow(driver, each))) {
    test(scenario.name, async () => {
      const { actual, expected } = await runScenario(driver, scenario, false);
      expect(actual).toEqual(expected);
    });
  }
});
