import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadClient } from "../../clients/index.ts";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { readUnmappedTools } from "./unmapped-tools.ts";

const BASH = "claude/PreToolUse.Bash";
const claude = await loadClient("claude");

function seen(sandbox: BridgeSandbox) {
  if (claude === undefined) throw new Error("there is no client claude");
  return readUnmappedTools(sandbox.state, claude);
}

test("tools that have no canonical name are stored once, with and without hooks", async () => {
  const sandbox = new BridgeSandbox();
  await sandbox.send(BASH, { tool_name: "mcp__box__run", tool_input: { cmd: "ls" } });
  await sandbox.send(BASH, { tool_name: "mcp__box__list", tool_input: {} });
  sandbox.hook("guard", { script: "true" });
  await sandbox.send(BASH, { tool_name: "Novelty", tool_input: {}, tool_use_id: "2" });
  await sandbox.send(BASH, { tool_name: "mcp__box__run", tool_input: {}, tool_use_id: "3" });
  expect(seen(sandbox)).toEqual([
    { name: "mcp__box__run", isShell: true },
    { name: "mcp__box__list", isShell: false },
    { name: "Novelty", isShell: false },
  ]);
});

test("a tool that is given a command later is found by matchers of Shell from then on", async () => {
  const sandbox = new BridgeSandbox();
  await sandbox.send(BASH, { tool_name: "Novelty", tool_input: {} });
  await sandbox.send(BASH, { tool_name: "Novelty", tool_input: { command: "ls" } });
  expect(seen(sandbox)).toEqual([{ name: "Novelty", isShell: true }]);
});

test("tools with a canonical name, and those that are known to need none, are not stored", async () => {
  const sandbox = new BridgeSandbox();
  await sandbox.send(BASH);
  await sandbox.send(BASH, { tool_name: "TodoWrite", tool_input: { todos: [] } });
  expect(seen(sandbox)).toEqual([]);
});

test("no more tools are stored than a person would read, and none with an endless name", async () => {
  const sandbox = new BridgeSandbox();
  const file = join(sandbox.state, "bridge", "unmapped-tools", "claude.json");
  await sandbox.send(BASH, { tool_name: "x".repeat(100_000), tool_input: {} });
  expect(seen(sandbox)[0]?.name).toHaveLength(200);
  writeFileSync(file, JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ name: `t${at}` }))));
  await sandbox.send(BASH, { tool_name: "one-more", tool_input: {} });
  expect(seen(sandbox)).toHaveLength(200);
  expect(statSync(file).size).toBeLessThan(64 * 1024);
});

test.each([
  ["no JSON", "{"],
  ["something else", '"text"'],
  ["a list of something else", "[1, null]"],
])("a file with %s is written anew", async (_, text) => {
  const sandbox = new BridgeSandbox();
  const file = sandbox.write(join(sandbox.state, "bridge", "unmapped-tools", "claude.json"), text);
  expect(await sandbox.send(BASH, { tool_name: "Novelty", tool_input: {} })).toMatchObject({ exit: 0 });
  expect(readFileSync(file, "utf8")).toContain("Novelty");
});

test("a folder that cannot be written to changes no answer", async () => {
  const sandbox = new BridgeSandbox();
  mkdirSync(join(sandbox.state, "bridge"), { recursive: true });
  const inTheWay = sandbox.write(join(sandbox.state, "bridge", "unmapped-tools"), "");
  chmodSync(inTheWay, 0o400);
  sandbox.hook("guard", { fields: ["matcher: { tool: Novelty }", "action: block", "reason: no"] });
  expect(await sandbox.send(BASH, { tool_name: "Novelty", tool_input: {} })).toMatchObject({ exit: 2 });
});
