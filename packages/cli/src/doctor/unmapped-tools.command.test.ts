import { join } from "node:path";
import { loadClients } from "@tenterhook/bridges";
import { bridge } from "@tenterhook/bridges/bridge";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";
import { listUnmappedTools } from "./hook-files.ts";

const call = (home: string, tool_name: string, tool_input: object) =>
  bridge({
    client: "claude",
    event: "PreToolUse",
    stdin: JSON.stringify({ session_id: "s", cwd: home, tool_name, tool_input, tool_use_id: tool_name }),
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH },
  });

test("doctor lists the tools without a canonical name that an agent has called, and how matchers find them", async () => {
  const home = temporaryFolder();
  await call(home, "mcp__box__run", { cmd: "ls" });
  await call(home, "Novelty", { text: "x" });
  await call(home, "Bash", { command: "ls" });
  const state = join(home, ".local", "state", "tenterhook");
  expect(listUnmappedTools(await loadClients(), state)).toEqual({
    findings: [],
    notes: [
      "Claude Code gives commands to mcp__box__run: matchers find them as Shell too",
      "Claude Code has called Novelty: only a matcher of that name finds them",
    ],
  });
});

test("doctor prints tools without a canonical name, and they are not a finding", async () => {
  const sandbox = new CommandSandbox();
  await sandbox.run(["install", "claude"]);
  await call(sandbox.home, "Novelty", { text: "x" });
  const { stdout } = await sandbox.run(["doctor", "claude"]);
  expect(stdout).toContain("Claude Code has called Novelty");
});
