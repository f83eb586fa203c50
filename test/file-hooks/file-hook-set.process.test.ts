import { join } from "node:path";
import { createHooks } from "@tenterhook/engine";
import { fileHooks } from "@tenterhook/file-hooks";
import { expect, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

function setIn(sandbox: FileHooksSandbox, options: Parameters<typeof fileHooks>[0] = {}) {
  const log = (message: string) => void sandbox.logged.push(message);
  return fileHooks({ cwd: sandbox.project, env: sandbox.env, log, ...options });
}

test("a set of file hooks lists its hooks at once, enforces them, and records them in the audit trail", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
  const set = await setIn(sandbox);
  expect(set.hooks.list().map(({ name, event }) => `${name} ${event}`)).toEqual(["guard before_tool"]);
  const { action, reason } = await sandbox.shell(set.hooks);
  expect({ action, reason }).toEqual({ action: "refuse", reason: "denied" });
  await set.close();
  expect(sandbox.read(join(sandbox.state, "audit.jsonl"))).toContain('"hook":"guard"');
});

test("a set of its own still enforces and records its hooks after it was closed", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
  const set = await setIn(sandbox);
  await set.close();
  expect((await sandbox.shell(set.hooks)).action).toBe("refuse");
  await set.close();
  expect(sandbox.read(join(sandbox.state, "audit.jsonl"))).toContain('"hook":"guard"');
});

test("a project's hook runs in a set only after it was trusted", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
  const untrusted = await setIn(sandbox, { audit: false });
  expect((await sandbox.shell(untrusted.hooks)).action).toBe("go_on");
  await untrusted.close();
  await sandbox.trustAll();
  const trusted = await setIn(sandbox, { audit: false });
  expect((await sandbox.shell(trusted.hooks)).action).toBe("refuse");
  await trusted.close();
});

test("hooks in files join a set of hooks in code, and leave it when the set is closed", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
  const hooks = createHooks();
  hooks.on("before_tool", () => undefined, { name: "in code" });
  const set = await setIn(sandbox, { hooks, audit: false });
  expect(set.hooks).toBe(hooks);
  expect(hooks.list("before_tool").map(({ name }) => name)).toEqual(["in code", "guard"]);
  await set.close();
  expect(hooks.list("before_tool").map(({ name }) => name)).toEqual(["in code"]);
  expect((await sandbox.shell(hooks)).action).toBe("go_on");
});

test("a set reports what is wrong with the files of its hooks", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.write(join(sandbox.userHooks, "broken", "HOOK.md"), "---\nname: broken\n---\n");
  const set = await setIn(sandbox, { audit: false });
  expect(set.findings.length).toBeGreaterThan(0);
  await set.close();
});
