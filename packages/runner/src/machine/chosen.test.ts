import { scriptedModel } from "@tenterhook/agent/testing";
import { expect, test } from "vitest";
import { chosenModel } from "./chosen-model.ts";
import { chosenServers, chosenTools } from "./chosen-tools.ts";

const scripted = { provider: "scripted", script: ["Hi"] } as const;
const tool = { inputSchema: { type: "object" }, execute: () => "done" };

test("a model is one of the machine's by its name, a model of code included", async () => {
  const own = scriptedModel(["Hi"], { modelId: "own" });
  const { model, models } = await chosenModel("fast", { models: { fast: own, other: scripted }, env: {} });
  expect(model).toBe("fast");
  expect(models.fast).toBe(own);
  expect(Object.keys(models).sort()).toEqual(["fast", "other"]);
});

test("a model may be a configuration, and other invalid ones do not matter", async () => {
  const models = { broken: { provider: "openai-compatible", model: "x" } };
  const chosen = await chosenModel({ ...scripted }, { models, env: {} });
  expect(chosen.model).toMatchObject({ provider: "scripted" });
  expect(chosen.models).toEqual({});
});

test("a model that does not exist is an error that lists those that do", async () => {
  const machine = { models: { fast: scripted }, env: {} };
  await expect(chosenModel("slow", machine)).rejects.toThrow(
    'this runner has no model "slow". It has: fast.',
  );
  await expect(chosenModel("toString", machine)).rejects.toThrow("no model");
});

test("tools are the machine's own before the built-in ones, and only those that are named", () => {
  const machine = { tools: { Shell: tool, Deploy: tool }, allowedSecrets: [] };
  const tools = chosenTools(["Shell", "ReadFile"], machine);
  expect(Object.keys(tools).sort()).toEqual(["ReadFile", "Shell"]);
  expect(tools.Shell).toBe(tool);
  expect(() => chosenTools(["Deplyo"], machine)).toThrow('no tool "Deplyo". Did you mean Deploy?');
});

test("MCP servers are those that are named", () => {
  const mcpServers = { files: { command: "files" }, web: { command: "web" } };
  expect(chosenServers(["web"], { mcpServers })).toEqual({ web: { command: "web" } });
  expect(() => chosenServers(["mail"], { mcpServers })).toThrow('no MCP server "mail"');
});

test("an MCP server that is started gets the variables of the run beside its own, and one with a URL none", () => {
  const mcpServers = { own: { command: "own", env: { A: "1" } }, far: { url: "http://127.0.0.1:1" } };
  expect(chosenServers(["own", "far"], { mcpServers }, { TENTERHOOK_RUN_ID: "run_1" })).toEqual({
    own: { command: "own", env: { A: "1", TENTERHOOK_RUN_ID: "run_1" } },
    far: { url: "http://127.0.0.1:1" },
  });
});
