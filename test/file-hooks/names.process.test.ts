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
