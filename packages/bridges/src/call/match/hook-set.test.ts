import { join } from "node:path";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { HookSet } from "./match-hooks.ts";

test("reports a problem of a file that appears after the hooks were read, with the file", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", { fields: ["action: block", "reason: no"] });
  const reports: unknown[] = [];
  const set = new HookSet({
    folders: [sandbox.project],
    env: { HOME: sandbox.home },
    mode: "sync",
    report: (text, finding) => void reports.push([text, finding?.file]),
  });
  expect(await set.active()).toHaveLength(1);
  const file = sandbox.write(join(folder, "HOOK.md"), "---\nname: guard\ntrigger: never\n---\n");
  await set.hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {} });
  expect(reports).toContainEqual([expect.stringContaining('there is no event "never"'), file]);
});
