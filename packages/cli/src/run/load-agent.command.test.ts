import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFile } from "../testing/agent-file.ts";
import { CommandSandbox } from "../testing/command-sandbox.ts";

describe("an error in an agent's file", () => {
  const models = { main: { provider: "not-installed", model: "x" } };
  test.each([
    ["no file", undefined, ["agent.json cannot be read", "docs/reference/agent-center.md"]],
    ["invalid JSON", "{", ["agent.json is not JSON"]],
    [
      "a field that does not exist",
      { fields: { toolName: [] } },
      ['agent.json: agent "assistant"', 'no field "toolName"', 'mean "toolNames"'],
    ],
    [
      "a tool that does not exist",
      { tools: ["Shel"] },
      ['agent.json: agent "assistant": toolNames has "Shel"', 'mean "Shell"'],
    ],
    [
      "a model that does not exist",
      { fields: { modelName: "best" } },
      ['modelName has "best"', 'Add it under "models"'],
    ],
    [
      "a provider that is not installed",
      { file: { models } },
      ["agent.json", "npm install @ai-sdk/not-installed"],
    ],
    [
      "a key that is not set",
      {
        model: {
          provider: "openai-compatible",
          model: "m",
          baseURL: "http://127.0.0.1:9/v1",
          apiKeyEnv: "NO_SUCH_KEY",
        },
      },
      ["NO_SUCH_KEY, which is not set"],
    ],
    [
      "hooks by name",
      { fields: { preHookNames: ["validator"] } },
      ["preHookNames", "tenterhook init validator"],
    ],
  ])("is reported with file, field and advice: %s", async (_, parts, expected) => {
    const sandbox = new CommandSandbox();
    if (typeof parts === "string") sandbox.write(join(sandbox.project, "agent.json"), parts);
    else if (parts !== undefined) agentFile(sandbox, parts);
    const { code, stdout, stderr } = await sandbox.run(["run", "agent.json", "Hello!"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const text of expected) expect(stderr).toContain(text);
    expect(stderr).not.toContain("internal error");
  });

  test("--max-steps takes a number, and --work-dir a folder", async () => {
    const sandbox = new CommandSandbox();
    const file = agentFile(sandbox);
    expect((await sandbox.run(["run", file, "Hi", "--max-steps", "few"])).stderr).toContain('not "few"');
    expect((await sandbox.run(["run", file, "Hi", "--work-dir", "missing"])).stderr).toContain(
      "Use --work-dir",
    );
    expect(existsSync(join(sandbox.project, "missing"))).toBe(false);
  });
});
