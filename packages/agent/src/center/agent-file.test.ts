import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { createAgentCenter } from "./agent-center.ts";
import { parseAgentFile, readAgentFile } from "./agent-file.ts";

const one = { id: "one", name: "One", description: "", modelName: "played", instructions: "" };
const many = {
  agents: [one, { ...one, id: "two", preHookNames: ["guard"] }],
  models: { played: { provider: "scripted", script: ["Hi from the file!"] } },
  mcpServers: { files: { command: "files-server" } },
};

async function file(content: unknown): Promise<string> {
  const folder = temporaryFolder();
  const path = join(folder, "agents.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("a file of agents", () => {
  test("may hold one agent, which is then the default", async () => {
    expect(await readAgentFile(await file(one))).toMatchObject({
      agents: [{ ...one, toolNames: [] }],
      models: {},
      mcpServers: {},
      agent: "one",
    });
  });

  test('may have many, with models and MCP servers; the first is the default unless "agent" is set', () => {
    expect(parseAgentFile(many)).toMatchObject({ ...many, agent: "one" });
    expect(parseAgentFile({ ...many, agent: "two" }).agent).toBe("two");
  });

  test("is rejected with all its problems at once, and its path", async () => {
    const path = await file({
      agents: [{ ...one, modelNames: "x" }, one, { name: "Nameless" }],
      agent: "three",
      model: {},
      models: { played: 5 },
      mcpServers: { files: { comand: "x" } },
    });
    const error: unknown = await readAgentFile(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "bad_agent" });
    for (const part of [
      `${path}: there is no field "model" (did you mean "models"?)`,
      'agent "one": there is no field "modelNames" (did you mean "modelName"?)',
      'agent "one": there are two of that id',
      "agents[2]: id must be a text",
      'the model "played" must be an object',
      'MCP server "files" has no field "comand". Did you mean command?',
      'agent has "three", which is not a known agent of this file',
    ])
      expect(String(error)).toContain(part);
  });

  test.each([
    ["{oops", /agents\.json is not JSON/],
    ['{ "agents": [] }', /agents\.json: agents must be a list of at least one agent/],
    ['{ "id": "one" }', /agents\.json: agent "one": name must be a text/],
    ["[]", /agents\.json: an agent without an id: an agent must be an object/],
  ])("that holds %s is none", async (text, message) => {
    await expect(readAgentFile(await file(text))).rejects.toThrow(message);
  });

  test("that does not exist is named in the error", async () => {
    await expect(readAgentFile("no-such/agents.json")).rejects.toMatchObject({
      code: "bad_agent",
      message: expect.stringMatching(/^no-such\/agents\.json cannot be read/),
    });
  });
});

describe("a center that loads", () => {
  test("a file with a default agent can run it", async () => {
    const center = createAgentCenter();
    expect(await center.load(await file(many))).toEqual({ agentId: "one", agentIds: ["one", "two"] });
    const run = await center.runAgent({ session: center.createSession("one"), message: "Hello!" });
    expect(run.output).toBe("Hi from the file!");
    await expect(
      center.runAgent({ session: center.createSession("two"), message: "Hello!" }),
    ).rejects.toThrow(/agent "two": preHookNames has "guard"/);
  });

  test("takes a path, an address, a text and what was parsed", async () => {
    const path = await file(one);
    for (const source of [path, pathToFileURL(path), JSON.stringify(one), one]) {
      expect((await createAgentCenter().load(source)).agentId).toBe("one");
    }
  });

  test("registers everything or nothing", async () => {
    const center = createAgentCenter();
    center.registerAgent({ ...one, id: "two" });
    center.registerModel("played", { provider: "scripted", script: [] });
    await expect(center.load(many)).rejects.toThrow(
      'the agents: the agent "two" is registered already; the model "played" is registered already.',
    );
    expect(center.agent("one")).toBeUndefined();
  });
});
