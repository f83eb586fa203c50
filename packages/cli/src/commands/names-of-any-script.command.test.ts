import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

// "Hook identifier (1-64 chars)": in any script, and one name in all of its NFKC forms.

const PLAIN = { NO_COLOR: "1" };
const WIDE = "ｇｕａｒｄ";
const BRIDGE = ["bridge", "--client", "claude", "--event", "PreToolUse"];

let calls = 0;
function call(sandbox: CommandSandbox) {
  const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: `call ${++calls}` };
  const input = { session_id: "s1", cwd: sandbox.project, hook_event_name: "PreToolUse", ...tool };
  return sandbox.run(BRIDGE, { input: JSON.stringify(input) });
}

test("check passes names of any script with 64 characters, and warns about others and longer ones", async () => {
  const sandbox = new CommandSandbox();
  for (const name of ["守卫", "защита-папок", "größe", "शिक्षा", "𐐨".repeat(40), "é".repeat(64)])
    sandbox.hook(name, { script: "exit 0" });
  // A folder whose name is stored in another form.
  const decomposed = sandbox.hook("cafe\u0301", { script: "exit 0" });
  sandbox.write(
    join(decomposed, "HOOK.md"),
    "---\nname: caf\u00e9\ndescription: x\ntrigger: before_tool\n---\n",
  );
  expect(await sandbox.run(["check"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("7 hooks checked, no findings"),
  });
  sandbox.hook("Größe", { script: "exit 0" });
  sandbox.hook("é".repeat(65), { script: "exit 0" });
  const { code, stdout } = await sandbox.run(["check"]);
  expect(stdout).toContain(
    "warning: name should have only lowercase letters (of any script), digits and hyphens",
  );
  expect(stdout).toContain("error: name must have at most 64 characters");
  expect([code, stdout.split("\n").length]).toEqual([1, 4]);
});

test("check reports two names that are equal after NFKC, in one folder of hooks and beside the user's", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { script: "exit 0", scope: "user" });
  sandbox.hook("guard", { script: "exit 0" });
  sandbox.hook(WIDE, { script: "exit 0" });
  const { code, stdout } = await sandbox.run(["check"]);
  expect(stdout).toContain("there is another hook named guard in the same folder");
  expect(stdout).toContain("guard is shadowed by the user's hook of the same name");
  expect(code).toBe(1);
});

test("init writes a hook with a name in another script, which check and test accept", async () => {
  const sandbox = new CommandSandbox();
  const made = await sandbox.run(["init", "защита", "--trigger", "before_tool", "--tool", "Shell"]);
  expect(made.code).toBe(0);
  expect(await sandbox.run(["test", join(sandbox.projectHooks, "защита")])).toMatchObject({ code: 0 });
  expect((await sandbox.run(["check"])).stdout).not.toContain("name");
  await sandbox.run(["init", WIDE, "--trigger", "before_tool"]);
  expect(existsSync(join(sandbox.projectHooks, "guard", "HOOK.md"))).toBe(true);
  for (const name of ["Защита", "a/b", "．．", "a\u200Bb", "x".repeat(65)])
    expect(await sandbox.run(["init", name, "--trigger", "before_tool"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not a valid hook name"),
    });
});

test("trust, disable, enable, rename and remove find a hook by any form of its name", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { script: "exit 0" });
  await sandbox.onTerminal(["trust", WIDE], ["y"], PLAIN);
  expect(await sandbox.json(["list"])).toMatchObject({ hooks: [{ name: "guard", trust: "trusted" }] });
  await sandbox.onTerminal(["trust", "--revoke", WIDE], [], PLAIN);
  expect(await sandbox.json(["list"])).toMatchObject({ hooks: [{ name: "guard", trust: "untrusted" }] });
  const toml = join(sandbox.userHooks, "hooks.toml");
  sandbox.write(toml, `[hooks."${WIDE}"]\npriority = 7\n`);
  expect((await sandbox.onTerminal(["disable", WIDE], [], PLAIN)).stdout).toContain("guard is disabled");
  expect(sandbox.read(toml)).toBe(`[hooks."${WIDE}"]\nenabled = false\npriority = 7\n`);
  expect((await sandbox.onTerminal(["enable", "guard"], [], PLAIN)).stdout).toContain("guard is enabled");
  const renamed = await sandbox.onTerminal(["rename", WIDE, "守卫"], [], PLAIN);
  expect([renamed.code, existsSync(join(sandbox.projectHooks, "守卫"))]).toEqual([0, true]);
  expect(sandbox.read(toml)).toContain('[hooks."守卫"]\nenabled = true\npriority = 7\n');
  expect(await sandbox.json(["list"])).toMatchObject({ hooks: [{ name: "守卫", priority: 7 }] });
});

test("a known guard is the same one in all forms of its name, and is confirmed as gone by any of them", async () => {
  const sandbox = new CommandSandbox();
  const fields = ["on_error: block"];
  const folder = sandbox.hook(WIDE, { scope: "user", fields, script: "exit 0" });
  expect(await call(sandbox)).toMatchObject({ code: 0 });
  const text = sandbox.read(join(folder, "HOOK.md"));
  sandbox.write(join(folder, "HOOK.md"), text.replace(`name: ${WIDE}`, "name: guard"));
  expect(await call(sandbox)).toMatchObject({ code: 0 });
  sandbox.write(join(folder, "HOOK.md"), text.replace(`name: ${WIDE}`, "name: gu\u0430rd"));
  expect(await call(sandbox)).toMatchObject({ code: 2, stderr: expect.stringContaining('hook "guard"') });
  const confirmed = await sandbox.onTerminal(["remove", WIDE, "--keep-files"], [], PLAIN);
  expect(confirmed.stdout).toContain("Confirmed: guard is no longer expected.");
  expect(await call(sandbox)).toMatchObject({ code: 0 });
});
