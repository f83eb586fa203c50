import { join } from "node:path";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { expect, test } from "vitest";
import { loadClient } from "../clients/index.ts";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";
import { findEnforcement } from "./enforcement.ts";

test.each([
  ["qwen", "session_end", /headless/],
  ["kimi", "session_end", /lost when Kimi Code exits/],
  ["kimi", "after_tool", /the last one is lost/],
  ["droid", "before_agent", /droid exec/],
  ["cline", "session_end", /aborted/],
])("%s: a hook at %s is enforced partly, because the event may be lost", async (id, trigger, why) => {
  const client = await loadClient(id);
  const folder = new BridgeSandbox().hook("watch", { trigger, script: "exit 0" });
  const hook = readHookFile(join(folder, "HOOK.md"))?.hook;
  if (client === undefined || hook === undefined) throw new Error("there is no such client, or no hook");
  const enforcement = findEnforcement(client, hook);
  expect(enforcement.how).toBe("partly");
  expect(enforcement.why.join("\n")).toMatch(why);
});

test.each(["WriteFile", "EditFile", "DeleteFile"])(
  "a hook for %s is enforced in Codex, whose patches are that",
  async (tool) => {
    const client = await loadClient("codex");
    const fields = [`matcher: { tool: ${tool} }`, "action: block", "reason: no"];
    const hook = readHookFile(join(new BridgeSandbox().hook("files", { fields }), "HOOK.md"))?.hook;
    if (client === undefined || hook === undefined) throw new Error("there is no such client, or no hook");
    expect(findEnforcement(client, hook)).toEqual({ how: "fully", why: [] });
  },
);

test("a hook for DeleteFile is enforced in a client without that tool if it is for Shell too", async () => {
  const client = await loadClient("claude");
  const enforcementFor = (tool: string) => {
    const fields = [`matcher: { tool: "${tool}" }`, "action: block", "reason: no"];
    const hook = readHookFile(join(new BridgeSandbox().hook("files", { fields }), "HOOK.md"))?.hook;
    if (client === undefined || hook === undefined) throw new Error("there is no such client, or no hook");
    return findEnforcement(client, hook).how;
  };
  expect(enforcementFor("DeleteFile")).toBe("not at all");
  expect(enforcementFor("DeleteFile|WriteFile")).toBe("partly");
  expect(enforcementFor("DeleteFile|WriteFile|Shell")).toBe("fully");
});
