import { loadClients } from "@tenterhook/bridges/clients";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";
import { namedClients } from "./named-clients.ts";

const found = async (...names: string[]) => (await namedClients(names)).map(({ id }) => id);

test.each([
  ["claude", ["claude-code", "claudecode", "Claude Code", "CLAUDE", "claude_code"]],
  ["codex", ["codex-cli", "openai-codex", "Codex CLI"]],
  ["gemini", ["gemini-cli", "Gemini CLI"]],
  ["qwen", ["qwen-code", "Qwen Code"]],
  ["copilot", ["github-copilot", "copilot-cli", "GitHub Copilot CLI", "GitHub Copilot"]],
  ["kimi", ["kimi-code", "kimi-cli"]],
  ["droid", ["factory", "factory-droid", "Factory droid"]],
  ["cline", ["cline-cli", "Cline CLI"]],
  ["opencode", ["open-code", "OpenCode"]],
])("%s is found by each of its other names", async (id, names) => {
  for (const name of names) expect([name, ...(await found(name))]).toEqual([name, id]);
});

test("a client that is named twice, in two ways, counts once", async () => {
  expect(await found("claude-code", "codex", "claude")).toEqual(["claude", "codex"]);
});

test("no name means two clients", async () => {
  const names = (await loadClients()).flatMap(({ id, name, aliases }) => [
    ...new Set([id, name, ...aliases].map((each) => each.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))),
  ]);
  expect(names).toEqual([...new Set(names)]);
});

test.each([
  ["claud-code", "Did you mean claude?"],
  ["githubcopilt", "Did you mean copilot?"],
  ["factry", "Did you mean droid?"],
  ["", "Known: claude, codex,"],
  ["--", "Known: claude, codex,"],
])("the unknown name %j gets a hint", async (name, hint) => {
  await expect(found(name)).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
});

test("install, doctor, clients and uninstall take the other names; the bridge does not", async () => {
  const sandbox = new CommandSandbox();
  expect((await sandbox.run(["install", "claude-code"])).code).toBe(0);
  expect((await sandbox.run(["doctor", "Claude Code"])).stdout).toContain("ok Claude Code, user: entries");
  expect((await sandbox.run(["clients", "claudecode"])).stdout).toContain("Claude Code");
  const bridge = ["bridge", "--client", "claude-code", "--event", "PreToolUse"];
  expect(await sandbox.run(bridge, { input: "{}" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown client "claude-code"'),
  });
  expect((await sandbox.run(["uninstall", "claude-code"])).stdout).toContain("Claude Code");
});
