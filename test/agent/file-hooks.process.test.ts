import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAgent } from "@tenterhook/agent";
import { type Script, scriptedModel } from "@tenterhook/agent/testing";
import { expect, test } from "vitest";
import { FileHooksSandbox } from "../file-hooks/file-hooks-sandbox.ts";

// Hooks in files hold in an agent as they do anywhere else: real folders, real scripts, real processes.

const shell = {
  inputSchema: { type: "object" },
  execute: ({ command }: { command: string }) => `ran ${command}`,
};
const callShell = (command: string) => ({ toolCalls: [{ name: "Shell", input: { command } }] });

function agentIn(sandbox: FileHooksSandbox, script: Script) {
  const hooks = sandbox.hooks();
  return createAgent({
    model: scriptedModel(script),
    hooks,
    tools: { Shell: shell },
    workDir: sandbox.project,
  });
}

function results(messages: readonly { readonly role: string; readonly content: unknown }[]): unknown[] {
  return messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => (content as { output: unknown }[]).map(({ output }) => output));
}

test("a HOOK.md guards the tools of an agent, and those of its subagents", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(
    sandbox.userHooks,
    "no-destruction",
    { matcher: { tool: "Shell", pattern: "rm -rf" } },
    'echo "this would destroy data" >&2; exit 2',
  );
  const denied = { type: "execution-denied", reason: "this would destroy data" };
  const run = await agentIn(sandbox, [callShell("rm -rf /"), callShell("ls"), "done"]).run("Go.");
  expect(results(run.messages)).toEqual([denied, { type: "text", value: "ran ls" }]);

  let received: unknown;
  const helper = createAgent({
    name: "helper",
    model: scriptedModel([
      callShell("rm -rf /"),
      ({ messages }) => {
        received = results(messages);
        return "done";
      },
    ]),
    tools: { Shell: shell },
  });
  const boss = createAgent({
    model: scriptedModel([{ toolCalls: [{ name: "helper", input: { task: "clean up" } }] }, "done"]),
    hooks: sandbox.hooks(),
    subagents: [helper],
    workDir: sandbox.project,
  });
  await boss.run("Go.");
  expect(received).toEqual([denied]);
});

test("a script rewrites the input, reads the whole event, and keeps state for the session", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(
    sandbox.userHooks,
    "rewriter",
    {},
    `cat > "${join(sandbox.root, "event.json")}"
     echo x >> "$TENTERHOOK_STATE_DIR/count"
     echo '{"decision": "allow", "modified_input": {"command": "ls -l"}}'`,
  );
  const agent = agentIn(sandbox, [callShell("ls"), callShell("ls"), "done"]);
  const run = await agent.run("List.", { sessionId: "s1" });
  expect(results(run.messages)).toEqual([
    { type: "text", value: "ran ls -l" },
    { type: "text", value: "ran ls -l" },
  ]);
  const event = JSON.parse(readFileSync(join(sandbox.root, "event.json"), "utf8"));
  expect(event).toMatchObject({
    event_type: "before_tool",
    session_id: "s1",
    work_dir: sandbox.project,
    tool_name: "Shell",
    tool_input: { command: "ls" },
    iteration: 2,
    state: { agent_id: "agent" },
  });
});

test("a quality gate in a file holds the agent until it is satisfied", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(
    sandbox.userHooks,
    "tests-pass",
    { trigger: "before_stop" },
    `if [ -e passed ]; then exit 0; fi
     touch passed
     echo "the tests fail" >&2; exit 2`,
  );
  const run = await agentIn(sandbox, ["done", "now done"]).run("Build it.");
  expect(run).toMatchObject({ status: "completed", text: "now done", stepCount: 2 });
  expect(run.messages.map(({ content }) => content)).toContain("the tests fail");
  expect(run.acts).toMatchObject([{ event: "before_stop", hook: "tests-pass", action: "hold" }]);
});

test("a script on after_llm makes an answer come in one piece", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "censor", { trigger: "after_llm" }, "exit 0");
  const types = [];
  for await (const { type } of agentIn(sandbox, ["one two three"]).stream("Hi")) types.push(type);
  expect(types).toContain("answer_buffered");
  expect(types.filter((type) => type === "text_delta")).toHaveLength(1);
});
