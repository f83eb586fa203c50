import { block, createHooks, type Hooks, proceed } from "@tenterhook/engine";
import { expect, test } from "vitest";
import { callBash, callEcho, runClaude } from "./testing.ts";

const quiet = (): Hooks => createHooks({ report: () => {} });

const changeInput = (text: string) => async () => ({
  hookSpecificOutput: { hookEventName: "PreToolUse" as const, updatedInput: { text } },
});

test("a callback of the user that changes the input does so before hooks check it", async () => {
  const hooks = quiet();
  const seen: unknown[] = [];
  hooks.on("before_tool", ({ toolInput }) => {
    seen.push(toolInput.text);
    return toolInput.text === "secret" ? block("no secrets") : undefined;
  });
  const options = { hooks: { PreToolUse: [{ hooks: [changeInput("secret")] }] } };
  const run = await runClaude(callEcho("a"), hooks, { options });
  expect([seen, run.toolRuns]).toEqual([["secret"], []]);
});

test("the change of a hook wins over that of the user's callback", async () => {
  const hooks = quiet();
  hooks.on("before_tool", ({ toolInput }) => proceed({ toolInput: { text: `${toolInput.text} and hook` } }));
  const options = { hooks: { PreToolUse: [{ matcher: "mcp__.*", hooks: [changeInput("user")] }] } };
  expect((await runClaude(callEcho("a"), hooks, { options })).toolRuns).toEqual(["user and hook"]);
});

test("a callback of the user refuses a call, and only those that its matcher selects", async () => {
  const deny = async () => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse" as const,
      permissionDecision: "deny" as const,
      permissionDecisionReason: "mine",
    },
  });
  const options = { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [deny] }] } };
  const refused = await runClaude(callBash("echo a"), quiet(), { options });
  expect(refused.toolResults).toEqual(["PreToolUse:Bash hook error: mine"]);
  expect((await runClaude(callEcho("a"), quiet(), { options })).toolRuns).toEqual(["a"]);
});

test("a result that the user's callback changed is the one that hooks withhold", async () => {
  const hooks = quiet();
  hooks.on("after_tool", () => block("not for you"));
  const change = async () => ({
    hookSpecificOutput: { hookEventName: "PostToolUse" as const, updatedToolOutput: "theirs" },
  });
  const options = { hooks: { PostToolUse: [{ hooks: [change] }] } };
  const run = await runClaude(callEcho("secret"), hooks, { options });
  expect(run.toolResults).toEqual(["The result was withheld: not for you"]);
});

test("callbacks of other events are called beside the hooks", async () => {
  const hooks = quiet();
  let stops = 0;
  hooks.on("before_stop", () => void stops++);
  let held = 0;
  const hold = async () => (held++ === 0 ? { decision: "block" as const, reason: "more" } : {});
  const run = await runClaude(["one", "two"], hooks, { options: { hooks: { Stop: [{ hooks: [hold] }] } } });
  expect([run.result.result, stops]).toEqual(["two", 2]);
});
