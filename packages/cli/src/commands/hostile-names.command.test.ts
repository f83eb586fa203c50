import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const HOSTILE = "a\u001b[2J\u202eb\u009b31m";
const ESCAPED = "a\\u{1b}[2J\\u{202e}b\\u{9b}31m";

/** A server in place of a coordinator whose responses contain control characters. */
async function hostileCoordinator(): Promise<string> {
  const agent = {
    name: HOSTILE,
    revision: 1,
    blueprint: { name: HOSTILE, type: "procedural" },
    type: "procedural",
  };
  const run = {
    run_id: HOSTILE,
    session_id: HOSTILE,
    agent_name: HOSTILE,
    status: HOSTILE,
    created_at: HOSTILE,
  };
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...agent, ...run, agents: [agent], runs: [run], next_cursor: null }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["agents put", ["agents", "put", "agent.json"], `${ESCAPED} saved, revision 1\n`],
  ["agents delete", ["agents", "delete", HOSTILE], `${ESCAPED} deleted\n`],
])("%s escapes control characters in names", async (_, args, expected) => {
  const sandbox = new CommandSandbox();
  sandbox.write(join(sandbox.project, "agent.json"), JSON.stringify({ name: HOSTILE, type: "procedural" }));
  const to = ["--url", await hostileCoordinator(), "--token", "any"];
  expect(await sandbox.run([...args, ...to])).toMatchObject({ code: 0, stdout: expected });
});

test.each([
  [["agents", "list"]],
  [["runs", "list"]],
  [["runs", "stop", HOSTILE]],
  [["approvals", "show", HOSTILE]],
])("%j prints no control characters of a response", async (args) => {
  const sandbox = new CommandSandbox();
  const to = ["--url", await hostileCoordinator(), "--token", "any"];
  const { stdout, stderr } = await sandbox.run([...args, ...to]);
  expect(stdout + stderr).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
});
