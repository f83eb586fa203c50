import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { threadTimeMs } from "../../../../engine/src/match/thread-time.ts";
import { createAgent } from "../../agent.ts";
import { scriptedModel } from "../../testing/index.ts";
import type { AgentTools } from "../tool.ts";
import { connectMcpServers, type McpConnections } from "./connect-mcp-servers.ts";

const SERVER = fileURLToPath(new URL("./testing/hostile-server.mjs", import.meta.url));
let connections: McpConnections;

beforeAll(async () => {
  connections = await connectMcpServers({ s: { command: process.execPath, args: [SERVER] } });
});
afterAll(() => connections.close());

const many = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => item(index));

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

async function callTool(tools: AgentTools, name: string, value: unknown) {
  const model = scriptedModel([{ toolCalls: [{ name, input: { value } }] }, "done"]);
  const start = threadTimeMs();
  await createAgent({ model, tools }).run("Go");
  const ms = threadTimeMs() - start;
  return { ms, output: JSON.stringify(model.requests[1]?.messages.at(-1)?.content) };
}

test.each<[string, unknown]>([
  ["backtracking", `${"a".repeat(1_000_000)}!`],
  ["unique", many(100_000, (id) => ({ id }))],
  ["alternatives", many(100_000, () => 1_499)],
  ["branching", nested(150)],
  ["branching", nested(5_000)],
  ["recursive", 1],
])("a call of an MCP tool with a hostile schema (%s) is refused within bounded time", async (name, value) => {
  const { ms, output } = await callTool(connections.tools, `s__${name}`, value);
  expect(output).toMatch(/error-text.*the input of s__/);
  expect(output).not.toContain("it ran");
  expect(ms).toBeLessThan(2_000);
});

test("a call of such a tool that matches its schema runs", async () => {
  const { output } = await callTool(connections.tools, "s__unique", [{ id: 1 }, { id: 2 }]);
  expect(output).toContain("it ran");
});

test.each<[string, object, unknown]>([
  ["a backtracking pattern", { pattern: "^(a+)+$" }, `${"a".repeat(100_000)}!`],
  ["many unique items", { uniqueItems: true }, [...many(60_000, (id) => [id]), [0]]],
  ["many lengths", { allOf: many(5_000, (id) => ({ minLength: id })) }, "a".repeat(1_000)],
])("a local tool with %s refuses a hostile input within bounded time", async (_, schema, value) => {
  const tool = {
    inputSchema: { type: "object", properties: { value: schema } },
    execute: () => "it ran",
  };
  const { ms, output } = await callTool({ tool }, "tool", value);
  expect(output).toMatch(/error-text.*the input of tool/);
  expect(ms).toBeLessThan(2_000);
});
