import { setImmediate as nextTick } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { recordWarnings } from "@tenterhook/test-support/record-warnings";
import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "../../agent.ts";
import { scriptedModel } from "../../testing/index.ts";
import { connectMcpServers } from "./connect-mcp-servers.ts";
import type { McpServers, StdioServerConfig } from "./parse-mcp-servers.ts";

const FIXTURE = fileURLToPath(new URL("./testing/stdio-server.mjs", import.meta.url));

const fixture = (...args: string[]): StdioServerConfig => ({
  command: process.execPath,
  args: [FIXTURE, ...args],
});

/** A server that lists these tools, page by page. */
const listing = (pages: object[][]): StdioServerConfig => ({
  ...fixture(),
  env: { FIXTURE_TOOLS: JSON.stringify(pages) },
});

async function connect(servers: McpServers) {
  const connections = await connectMcpServers(servers);
  onTestFinished(() => connections.close());
  return connections;
}

test("a list of tools has the server's descriptions and schemas, of all pages", async () => {
  const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const pages = [[{ name: "a", description: "Does a.", inputSchema }], [], [{ name: "b" }]];
  const connections = await connect({ s: listing(pages) });
  expect(Object.keys(connections.tools)).toEqual(["s__a", "s__b"]);
  expect(connections.tools.s__a).toMatchObject({ description: "Does a.", inputSchema });
  expect(connections.tools.s__b).toMatchObject({ description: undefined, inputSchema: { type: "object" } });
});

test("a list of tools has only those that are allowed", async () => {
  const connections = await connect({ s: { ...fixture(), tools: ["die", "echo"] } });
  expect(Object.keys(connections.tools)).toEqual(["s__echo", "s__die"]);
});

test("a list of tools that does not have what is allowed is an error", async () => {
  const server = { ...listing([[{ name: "a" }, { name: "b" }]]), tools: ["a", "c"] };
  await expect(connectMcpServers({ s: server })).rejects.toMatchObject({
    code: "bad_agent",
    message: 'MCP server "s" has no tool "c". It has "a", "b".',
  });
});

test("a list of tools drops what is too large or listed twice, with a warning", async () => {
  const huge = { type: "object", description: "x".repeat(70_000) };
  const tools = [
    { name: "twice" },
    { name: "twice" },
    { name: "" },
    { name: "n".repeat(300) },
    { name: "huge", inputSchema: huge },
    { name: "long", description: `${"d".repeat(3_998)}🙂🙂` },
  ];
  const connections = await connect({ s: listing([tools]) });
  expect(Object.keys(connections.tools)).toEqual(["s__twice", "s__long"]);
  expect(connections.tools.s__long?.description).toBe(`${"d".repeat(3_998)}…`);
  expect(connections.notices).toEqual([
    'MCP server "s": the tool "twice" is left out, because it is listed twice.',
    'MCP server "s": the tool "" is left out, because it has no name.',
    `MCP server "s": the tool "${"n".repeat(59)}…" is left out, because its name is longer than 256 characters.`,
    'MCP server "s": the tool "huge" is left out, because its input schema has 70034 characters, of at most 65536.',
    'MCP server "s": the description of the tool "long" is cut from 4002 to 4000 characters.',
  ]);
});

test("a list of tools is cut after 512 tools, and an allowed one behind them is found", async () => {
  const tools = Array.from({ length: 600 }, (_, i) => ({ name: `t${i}` }));
  const all = listing([tools]);
  const connections = await connect({ all, one: { ...all, tools: ["t599"] } });
  const names = Object.keys(connections.tools);
  expect(names.filter((name) => name.startsWith("all__"))).toHaveLength(512);
  expect(names.at(-1)).toBe("one__t599");
  expect(connections.notices).toEqual([expect.stringContaining("only the first 512 tools are offered.")]);
});

test("a list of tools that never ends is not read for ever", async () => {
  const connections = await connect({ s: fixture("--endless") });
  expect(Object.keys(connections.tools)).toHaveLength(64);
  expect(connections.notices).toEqual([
    'MCP server "s": its list of tools has more than 64 pages; the rest was not read.',
  ]);
});

test("warnings about a list of tools are limited in number", async () => {
  const tools = Array.from({ length: 50 }, () => ({ name: "same" }));
  const { notices } = await connect({ s: listing([tools]) });
  expect(notices).toHaveLength(33);
  expect(notices.at(-1)).toContain("there are more problems with its list");
});

test("an agent warns about a list of tools that it could not take as it is, with its first run", async () => {
  const warnings = recordWarnings();
  const mcpServers = { s: listing([[{ name: "twice" }, { name: "twice" }]]) };
  const agent = createAgent({ model: scriptedModel(["one", "two"]), mcpServers });
  await agent.run("go");
  await agent.run("go");
  // Warnings come with the next tick.
  await nextTick();
  expect(warnings.map(({ message }) => message)).toEqual([
    'MCP server "s": the tool "twice" is left out, because it is listed twice.',
  ]);
});
