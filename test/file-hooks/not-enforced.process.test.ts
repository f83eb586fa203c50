import { join } from "node:path";
import { expect, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

const TOML = "hooks.toml";
const OFF = "[hooks.guard]\nenforce = false\n";

/** What a command leads to, and what the hooks would have done. */
async function decided(sandbox: FileHooksSandbox, hooks = sandbox.hooks()) {
  const { action, notEnforced } = await sandbox.shell(hooks);
  return [action, ...notEnforced.map(({ verdict }) => verdict)];
}

test("enforce: false in a HOOK.md lets what the hook refuses pass, and a changed HOOK.md counts from the next event on", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { enforce: false, on_error: "block" }, DENY);
  const hooks = sandbox.hooks();
  expect(await decided(sandbox, hooks)).toEqual(["go_on", "would_block"]);
  sandbox.hook(sandbox.userHooks, "guard", { enforce: true, on_error: "block" }, DENY);
  expect(await decided(sandbox, hooks)).toEqual(["refuse"]);
});

test("action: block without a script is not enforced either", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { enforce: false, action: "block", reason: "no" });
  expect(await decided(sandbox)).toEqual(["go_on", "would_block"]);
});

test("action: ask refuses where no person can be asked, and is not enforced either", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { action: "ask", reason: "sure?" });
  expect(await decided(sandbox)).toEqual(["refuse"]);
  sandbox.hook(sandbox.userHooks, "guard", { enforce: false, action: "ask", reason: "sure?" });
  expect(await decided(sandbox)).toEqual(["go_on", "would_ask"]);
});

test("a script that cannot be started does not block", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", {
    enforce: false,
    on_error: "block",
    metadata: { interpreter: "/no/such/program" },
  });
  const { action, failures } = await sandbox.shell(sandbox.hooks());
  expect([action, failures.length]).toEqual(["go_on", 1]);
});

test("enforce must be true or false, and is an error of the file otherwise", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { enforce: "no" }, DENY);
  const { findings } = await sandbox.fileHooks().catalogue();
  expect(findings).toMatchObject([{ severity: "error", message: expect.stringContaining("true or false") }]);
});

test("the user's hooks.toml sets it for a hook of the user and of a project, in both directions", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
  sandbox.hook(sandbox.projectHooks, "theirs", {}, DENY);
  await sandbox.trustAll();
  const settings = (value: boolean) =>
    `[hooks.guard]\nenforce = ${value}\n[hooks.theirs]\nenforce = ${value}\n`;
  sandbox.write(join(sandbox.userHooks, TOML), settings(false));
  expect(await decided(sandbox)).toEqual(["go_on", "would_block", "would_block"]);
  sandbox.hook(sandbox.userHooks, "guard", { enforce: false }, DENY);
  sandbox.write(join(sandbox.userHooks, TOML), settings(true));
  expect(await decided(sandbox)).toEqual(["refuse"]);
});

test("a project's hooks.toml sets it for the hooks beside it, once trusted, and not for a user's hook", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
  sandbox.write(join(sandbox.projectHooks, TOML), OFF);
  await sandbox.trustAll(OFF);
  expect(await decided(sandbox)).toEqual(["refuse"]);
  const other = new FileHooksSandbox();
  other.hook(other.projectHooks, "guard", {}, DENY);
  await other.trustAll();
  other.write(join(other.projectHooks, TOML), OFF);
  expect(await decided(other)).toEqual(["refuse"]);
  await other.trustAll(OFF);
  expect(await decided(other)).toEqual(["go_on", "would_block"]);
});

test.each(["enforce = false", "enabled = false", 'on_error = "continue"'])(
  "a project's hooks.toml with %s for a user's hook is an error that names the hook, trusted or not",
  async (setting) => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { on_error: "block" }, DENY);
    sandbox.hook(sandbox.projectHooks, "theirs", {}, DENY);
    const toml = `[hooks.guard]\n${setting}\n\n[hooks.theirs]\n${setting}\n`;
    sandbox.write(join(sandbox.projectHooks, TOML), toml);
    const misplaced = {
      severity: "error",
      file: join(sandbox.projectHooks, TOML),
      field: "hooks.guard",
      message: expect.stringContaining("hooks.guard has no effect: guard is a hook of the user"),
    };
    const all = await sandbox.fileHooks({ trustAll: true }).catalogue();
    expect(all.findings).toEqual([misplaced]);
    await sandbox.trustAll(toml);
    const trusted = await sandbox.fileHooks().catalogue("before_tool");
    expect(trusted.findings).toEqual([misplaced]);
    expect((await decided(sandbox))[0]).toBe("refuse");
  },
);

test("a project's hooks.toml may name a hook beside it that has the name of a user's hook", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { metadata: { overridable: true } }, DENY);
  sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
  sandbox.write(join(sandbox.projectHooks, TOML), OFF);
  expect((await sandbox.fileHooks({ trustAll: true }).catalogue()).findings).toEqual([]);
});

test("a trusted hook that is changed to enforce: false must be trusted again, and refuses until then", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
  await sandbox.trustAll();
  sandbox.hook(sandbox.projectHooks, "guard", { enforce: false }, DENY);
  const { action, reason } = await sandbox.shell(sandbox.hooks());
  expect([action, reason]).toEqual([
    "refuse",
    expect.stringContaining("it was changed since it was trusted"),
  ]);
  await sandbox.trustAll();
  expect(await decided(sandbox)).toEqual(["go_on", "would_block"]);
});

test("a hook that was trusted with enforce: false must be trusted again to be enforced by its HOOK.md", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.projectHooks, "guard", { enforce: false }, DENY);
  await sandbox.trustAll();
  sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
  const { action, failures } = await sandbox.shell(sandbox.hooks());
  expect([action, failures.map(({ code }) => code)]).toEqual(["go_on", ["hook_tampered"]]);
  await sandbox.trustAll();
  expect(await decided(sandbox)).toEqual(["refuse"]);
});

test("its on_error counts as continue wherever it is listed, because a failure of it never blocks", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { enforce: false, on_error: "block" }, DENY);
  const { hooks } = await sandbox.fileHooks().catalogue();
  expect(hooks.map(({ hook }) => [hook.enforce, hook.onError])).toEqual([[false, "continue"]]);
});
