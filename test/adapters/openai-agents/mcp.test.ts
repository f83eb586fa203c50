import { type MCPServer, run } from "@openai/agents";
import { withHooks } from "@tenterhook/adapters/openai-agents";
import { block, createHooks, proceed } from "@tenterhook/engine";
import { expect, test } from "vitest";
import { agentWith, call, lastInput, record, ScriptedModel, say } from "./script.ts";

/** A server with one tool, without a process. */
function server(runs: unknown[]): MCPServer {
  return {
    name: "files",
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    invalidateToolsCache: async () => {},
    listTools: async () => [
      {
        name: "read",
        description: "Reads a file.",
        inputSchema: {
          type: "object",
          properties: { path: { type: "string" } },
          required: ["path"],
          additionalProperties: false,
        },
      },
    ],
    callTool: async (_name, input) => {
      runs.push(input);
      return [{ type: "text", text: "content" }];
    },
  };
}

test("tools of MCP servers have hooks, although they are made anew for every turn", async () => {
  const hooks = createHooks();
  const fired = record(hooks, ["before_tool"]);
  hooks.on("before_tool", ({ toolInput }) =>
    toolInput.path === "/etc/passwd" ? block("not that file") : proceed(),
  );
  const runs: unknown[] = [];
  const model = new ScriptedModel([
    [call("read", { path: "/etc/passwd" })],
    [call("read", { path: "a.txt" }, "c2")],
    [say("done")],
  ]);
  const agent = agentWith(model).clone({ mcpServers: [server(runs)] });
  await run(withHooks(agent, hooks), "hi");
  expect(runs).toEqual([{ path: "a.txt" }]);
  expect(lastInput(model).filter((text) => text.startsWith("result"))).toEqual([
    "result not that file",
    expect.stringContaining("content"),
  ]);
  expect(fired).toEqual(["before_tool", "before_tool"]);
});

test("failures of MCP tools are hidden by the SDK, which is said when the agent is built", () => {
  const hooks = createHooks();
  hooks.on("after_tool_failure", () => proceed(), { name: "mender" });
  const agent = agentWith(new ScriptedModel([])).clone({ mcpServers: [server([])] });
  expect(() => withHooks(agent, hooks)).toThrow(/hook "mender".*MCP servers/s);
});
