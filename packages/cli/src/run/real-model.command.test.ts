import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type OpenAiServer, openAiServer } from "@tenterhook/agent/testing";
import { expect, onTestFinished, test } from "vitest";
import { agentFile } from "../testing/agent-file.ts";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const MCP_SERVER = fileURLToPath(
  new URL("../../../agent/src/tools/mcp/testing/stdio-server.mjs", import.meta.url),
);

/** A model behind a real server on loopback, reached through the provider's package as it is installed. */
async function served(script: Parameters<typeof openAiServer>[0]): Promise<OpenAiServer & { model: object }> {
  const server = await openAiServer(script);
  onTestFinished(() => server.close());
  return { ...server, model: { provider: "openai-compatible", model: "m", baseURL: server.url } };
}

test("a run over HTTP streams, calls a tool of an MCP server, and ends with the answer", async () => {
  const sandbox = new CommandSandbox();
  const { model, requests } = await served([
    { toolCalls: [{ name: "files__echo", input: { text: "three" } }] },
    "Three.",
  ]);
  const file = agentFile(sandbox, {
    model,
    fields: { mcpServerNames: ["files"] },
    file: { mcpServers: { files: { command: process.execPath, args: [MCP_SERVER] } } },
  });
  const { code, stdout, stderr } = await sandbox.run(["run", file, "Say three"]);
  expect(stderr).toMatch(/✓ files__echo three/);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Three.\n" });
  expect(requests.map(({ body }) => body.stream)).toEqual([true, true]);
});

test("an answer that a hook may change is not streamed, with one notice", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("polite", { scope: "user", trigger: "after_llm", script: "exit 0" });
  const shell = { toolCalls: [{ name: "Shell", input: { command: "true" } }] };
  const { model, requests } = await served([shell, "Hello!"]);
  const file = agentFile(sandbox, { model, tools: ["Shell"] });
  const { stdout, stderr } = await sandbox.run(["run", file, "Hi"]);
  expect(stderr.match(/\(hooks may change or refuse this answer/g)).toHaveLength(1);
  expect(requests.map(({ body }) => body.stream ?? false)).toEqual([false, false]);
  expect(stdout).toBe("Hello!\n");
});

test("--session continues the conversation, which is stored under --data", async () => {
  const sandbox = new CommandSandbox();
  const { model, requests } = await served(["One.", "Two.", "Three."]);
  const file = agentFile(sandbox, { model });
  const args = ["--session", "counting", "--data", "kept"];
  await sandbox.run(["run", file, "First", ...args]);
  await sandbox.run(["run", file, "Second", ...args]);
  await sandbox.run(["run", file, "Third", "--session", "counting"]);
  expect(requests.map(({ body }) => body.messages?.length)).toEqual([1, 3, 1]);
  expect(sandbox.read(join(sandbox.project, "kept", "conversations", "counting.jsonl"))).toContain("Two.");
});

test("a message of - reads standard input", async () => {
  const sandbox = new CommandSandbox();
  const { model, requests } = await served(["Fine."]);
  await sandbox.run(["run", agentFile(sandbox, { model }), "-"], { input: "diff --git a b\n" });
  expect(JSON.stringify(requests[0]?.body.messages)).toContain("diff --git a b");
});

test("a server that cannot be reached fails the run, with its address", async () => {
  const sandbox = new CommandSandbox();
  const { model, close } = await served([]);
  await close();
  const { code, stdout, stderr } = await sandbox.run(["run", agentFile(sandbox, { model }), "Hi"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/failed .*(?:ECONNREFUSED|Cannot connect)/);
});
