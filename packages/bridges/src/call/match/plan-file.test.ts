import { statSync } from "node:fs";
import { join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { readPlan } from "./plan-file.ts";

test("a plan is not kept while a second change of a hook would not show", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", {
    fields: ["matcher: { pattern: rm }", "action: block", "reason: no"],
  });
  const { ctimeMs } = statSync(join(folder, "HOOK.md"));
  const locations = [findLocations(sandbox.project, { HOME: sandbox.home })];
  vi.setSystemTime(ctimeMs + 1);
  await sandbox.send("claude/PreToolUse.Bash");
  expect(readPlan(locations)).toBeUndefined();
  vi.setSystemTime(ctimeMs + 10_000);
  await sandbox.send("claude/PreToolUse.Bash");
  expect(readPlan(locations)?.hooks.before_tool).toMatchObject([{ name: "guard" }]);
});
