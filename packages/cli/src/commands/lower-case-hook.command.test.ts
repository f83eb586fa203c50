import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const PLAIN = { NO_COLOR: "1" };
const SHELL = ["before_tool", "--tool", "Shell", "--input", '{"command":"ls"}'];
const CASES = "event: { tool_name: Shell }\nexpect: { outcome: deny, reason: denied }\n";

/** A hook whose file is a hook.md. */
function lowerCase(sandbox: CommandSandbox, scope: "user" | "project" = "project"): string {
  const parts = { scope, script: "echo denied >&2; exit 2", cases: CASES };
  const folder = sandbox.hook("guard", parts);
  renameSync(join(folder, "HOOK.md"), join(folder, "hook.md"));
  return folder;
}

test("check, test and list take a hook.md for what it is", async () => {
  const sandbox = new CommandSandbox();
  const folder = lowerCase(sandbox);
  expect(await sandbox.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  for (const path of [folder, join(folder, "hook.md"), sandbox.projectHooks])
    expect(await sandbox.run(["check", path])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 hook checked, no findings"),
    });
  expect(await sandbox.run(["test", folder])).toMatchObject({ code: 0 });
  expect(await sandbox.json(["list"])).toMatchObject({
    hooks: [{ name: "guard", file: join(folder, "hook.md"), trust: "untrusted" }],
    findings: [],
  });
});

test("a hook.md is trusted, runs, is trusted no more after a change, and can be revoked by its path", async () => {
  const sandbox = new CommandSandbox();
  const folder = lowerCase(sandbox);
  const trusted = await sandbox.onTerminal(["trust", join(folder, "hook.md")], ["y"], PLAIN);
  expect(trusted.stdout).toContain("hook.md");
  expect(await sandbox.json(["list"])).toMatchObject({ hooks: [{ trust: "trusted" }] });
  expect((await sandbox.run(["explain", ...SHELL])).stdout).toContain("guard");
  expect((await sandbox.run(["prompt"])).stdout).toContain("guard");
  sandbox.write(join(folder, "hook.md"), `${sandbox.read(join(folder, "hook.md"))}more\n`);
  expect(await sandbox.json(["list"])).toMatchObject({ hooks: [{ trust: "changed" }] });
  await sandbox.onTerminal(["trust", "--revoke", join(folder, "hook.md")], [], PLAIN);
  expect(await sandbox.json(["list"])).toMatchObject({ hooks: [{ trust: "untrusted" }] });
});

test("rename writes the name into the hook.md, remove takes its folder, and init does not write beside it", async () => {
  const sandbox = new CommandSandbox();
  const folder = lowerCase(sandbox, "user");
  const renamed = await sandbox.onTerminal(["rename", join(folder, "hook.md"), "other"], [], PLAIN);
  expect(renamed.code).toBe(0);
  const target = join(sandbox.userHooks, "other");
  expect(sandbox.read(join(target, "hook.md"))).toContain("name: other\n");
  expect(existsSync(join(target, "HOOK.md"))).toBe(false);
  const again = await sandbox.run(["init", "other", "--trigger", "before_tool", "--user"]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("already exists")]);
  const removed = await sandbox.onTerminal(["remove", "other"], ["y"], PLAIN);
  expect([removed.code, existsSync(target)]).toEqual([0, false]);
});
