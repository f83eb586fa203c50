import { expect, test } from "vitest";
import { loadClient } from "../../clients/index.ts";
import { findDeadline, nativeEvent } from "./read-call.ts";

/** How long each client was found to wait where its configuration says nothing, in seconds. */
test.each([
  ["claude", "PreToolUse", 600],
  ["claude", "UserPromptSubmit", 30],
  ["codex", "PreToolUse", 600],
  ["codex", "SessionEnd", 1],
  ["gemini", "BeforeTool", 60],
  ["qwen", "PreToolUse", 60],
  ["copilot", "preToolUse", 30],
  ["kimi", "PreToolUse", 30],
  ["cline", "PreToolUse", 30],
])("%s: the bridge has answered %s before the client gives up after %d s", async (id, name, seconds) => {
  const client = await loadClient(id);
  if (client === undefined) throw new Error(`there is no client ${id}`);
  const found = nativeEvent(client, name);
  expect(found?.name).toBeDefined();
  const deadline = findDeadline(client, found?.event);
  expect(deadline).toBeLessThan(seconds * 1_000);
  expect(deadline).toBeGreaterThan(0);
});
