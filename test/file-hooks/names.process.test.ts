import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

describe("hooks of one name", () => {
  test.each([
    ["on the same event", "before_tool"],
    ["on another event", "session_end"],
  ])("an untrusted project hook %s leaves an overridable user hook in force", async (_where, trigger) => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    sandbox.hook(sandbox.projectHooks, "guard", { trigger }, "exit 0");
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    const { hooks } = await sandbox.fileHooks().catalogue();
    expect(hooks.map(({ scope, inactive }) => [scope, inactive])).toEqual([
      ["user", undefined],
      ["project", undefined],
    ]);
  });

  test("an untrusted project hook takes no part although a trusted one with its name lies beside it", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    sandbox.hook(sandbox.projectHooks, "a-guard", { name: "guard" }, "exit 0");
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  });

  test("a project hook that a trusted hooks.toml disables does not replace an overridable user hook", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    sandbox.hook(sandbox.projectHooks, "guard", {}, "exit 0");
    const toml = "[hooks.guard]\nenabled = false\n";
    sandbox.write(join(sandbox.projectHooks, "hooks.toml"), toml);
    await sandbox.trustAll(toml);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  });

  test("trusted hooks of one name in nested projects both hold", async () => {
    const sandbox = new FileHooksSandbox();
    const inner = join(sandbox.project, "packages", "app");
    sandbox.hook(sandbox.projectHooks, "guard", { matcher: { pattern: "outer" } }, DENY);
    await sandbox.trustAll();
    sandbox.hook(join(inner, ".agents", "hooks"), "guard", { matcher: { pattern: "inner" } }, DENY);
    await sandbox.trustAll(undefined, inner);
    const hooks = sandbox.hooks({ cwd: inner });
    expect((await sandbox.shell(hooks, "outer")).reason).toBe("denied");
    expect((await sandbox.shell(hooks, "inner")).reason).toBe("denied");
    expect((await sandbox.shell(hooks, "neither")).action).toBe("go_on");
  });

  test("the hooks.toml of an inner project adjusts its own hooks only", async () => {
    const sandbox = new FileHooksSandbox();
    const inner = join(sandbox.project, "packages", "app");
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    const toml = "[hooks.guard]\nenabled = false\n";
    sandbox.write(join(inner, ".agents", "hooks", "hooks.toml"), toml);
    await sandbox.trustAll(toml, inner);
    expect((await sandbox.shell(sandbox.hooks({ cwd: inner }))).reason).toBe("denied");
  });

  test("the trusted hooks.toml of an outer project counts in an inner one", async () => {
    const sandbox = new FileHooksSandbox();
    const inner = join(sandbox.project, "packages", "app");
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    const toml = "[hooks.guard]\nenabled = false\n";
    sandbox.write(join(sandbox.projectHooks, "hooks.toml"), toml);
    await sandbox.trustAll(toml);
    sandbox.hook(join(inner, ".agents", "hooks"), "other", {}, "exit 0");
    expect((await sandbox.shell(sandbox.hooks({ cwd: inner }))).action).toBe("go_on");
  });
});

describe("two hooks of the user with one name", () => {
  test.each([
    ["the first", "block", "continue"],
    ["the second", "continue", "block"],
  ])("refuse what either is for when %s has on_error: block", async (_which, first, second) => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "a", { name: "guard", on_error: first }, "exit 0");
    const matcher = { matcher: { pattern: "secret" } };
    const folder = sandbox.hook(sandbox.userHooks, "guard", { on_error: second, ...matcher }, DENY);
    const hooks = sandbox.hooks();
    const { action, reason, error, hook } = await sandbox.shell(hooks);
    expect([action, error?.code, hook]).toEqual(["refuse", "bad_hook_file", "guard"]);
    expect(reason).toMatch(/2 hooks .*agents\/hooks.* have this name \(a, guard\).*Rename/);
    rmSync(folder, { recursive: true });
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
  });

  test("refuse when one of them has action: block, unless it is not enforced", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "a", { name: "guard" }, "exit 0");
    const guard = { action: "block", reason: "never" };
    sandbox.hook(sandbox.userHooks, "guard", guard);
    const hooks = sandbox.hooks();
    expect(await sandbox.shell(hooks)).toMatchObject({ action: "refuse", error: { code: "bad_hook_file" } });
    sandbox.hook(sandbox.userHooks, "guard", { ...guard, enforce: false });
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
  });

  test("fail and decide nothing when both have on_error: continue", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "a", { name: "guard" }, "exit 0");
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    const { action, failures } = await sandbox.shell(sandbox.hooks());
    expect([action, failures.map(({ code }) => code)]).toEqual(["go_on", ["bad_hook_file"]]);
    expect(sandbox.logged.join()).toMatch(/a.HOOK\.md:?\d*: error: there is another hook named guard/);
    expect(sandbox.logged.join()).toMatch(/guard.HOOK\.md:?\d*: error: there is another hook named guard/);
  });

  test("fail at the events of both", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "a", { name: "guard", trigger: "before_agent" }, "exit 0");
    sandbox.hook(sandbox.userHooks, "guard", { on_error: "block" }, "exit 0");
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).action).toBe("refuse");
    const message = { message: "hello", sessionId: "s", workDir: sandbox.project };
    expect((await hooks.dispatch("before_agent", message)).action).toBe("refuse");
  });

  test("are not called, and refuse nothing, when a person has disabled the name", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "a", { name: "guard", on_error: "block" }, DENY);
    sandbox.hook(sandbox.userHooks, "guard", { on_error: "block" }, DENY);
    sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[hooks.guard]\nenabled = false\n");
    expect(await sandbox.shell(sandbox.hooks())).toMatchObject({ action: "go_on", failures: [] });
  });

  test("cannot be overridden when only one of them says so", async () => {
    const sandbox = new FileHooksSandbox();
    const overridable = { name: "guard", metadata: { overridable: true } };
    sandbox.hook(sandbox.userHooks, "a", overridable, "exit 0");
    sandbox.hook(sandbox.userHooks, "guard", { on_error: "block" }, DENY);
    sandbox.hook(sandbox.projectHooks, "guard", {}, "exit 0");
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("refuse");
  });
});

test("two trusted hooks of a project with one name refuse, and do not override the user's", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { metadata: { overridable: true } }, DENY);
  sandbox.hook(sandbox.projectHooks, "a", { name: "guard" }, "exit 0");
  sandbox.hook(sandbox.projectHooks, "b", { name: "guard" }, "exit 0");
  await sandbox.trustAll();
  expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  sandbox.hook(sandbox.projectHooks, "c", { name: "strict", on_error: "block" }, "exit 0");
  sandbox.hook(sandbox.projectHooks, "d", { name: "strict" }, "exit 0");
  await sandbox.trustAll();
  expect(await sandbox.shell(sandbox.hooks())).toMatchObject({ action: "refuse" });
});
