import { execFile } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

const PROGRAM = fileURLToPath(new URL("./programs/few-descriptors.mjs", import.meta.url));

interface Answer {
  readonly action: string;
  readonly reason?: string;
  readonly logged: readonly string[];
}

/** A guard that refuses everything without a script, which could not be started without descriptors. */
const GUARD = { action: "block", reason: "refused by the guard" };

/** Runs the program with a limit of open files, which its step "exhaust" reaches. Node opens all files of its modules at once. */
async function answersOf(sandbox: FileHooksSandbox, steps: string): Promise<readonly Answer[]> {
  sandbox.hook(join(`${sandbox.home}-other`, ".config", "agents", "hooks"), "any", {});
  const command = 'ulimit -n 500; exec "$@"';
  const args = ["-c", command, "sh", process.execPath, PROGRAM, steps, sandbox.home];
  const { stdout } = await promisify(execFile)("/bin/sh", args);
  return JSON.parse(stdout) as readonly Answer[];
}

describe("with all descriptors in use, a hooks folder that has changed", () => {
  test("keeps the hooks that were known, is reported, and is read again at the next event", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", GUARD);
    const [before, during, after] = await answersOf(sandbox, "start ask exhaust touch ask release ask");
    expect([before?.reason, during?.reason, after?.reason]).toEqual(Array(3).fill("refused by the guard"));
    expect(during?.logged.join()).toMatch(/agents\/hooks: error: it cannot be read\W+EMFILE/);
    expect(after?.logged).toEqual([]);
  });

  test("refuses where nothing was known of it, and is not stored as an empty one", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", GUARD);
    const [during, after] = await answersOf(sandbox, "exhaust start ask release ask");
    expect(during).toMatchObject({
      action: "refuse",
      reason: expect.stringMatching(/cannot be read\W+EMFILE/),
    });
    expect(after).toMatchObject({ action: "refuse", reason: "refused by the guard" });
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("refused by the guard");
  });

  test("keeps a hook whose HOOK.md has changed, as it was", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", GUARD);
    const [during, after] = await answersOf(sandbox, "start exhaust touch-file ask release ask");
    expect(during?.reason).toBe("refused by the guard");
    expect(during?.logged.join()).toMatch(/HOOK\.md: error: it cannot be read\W+EMFILE/);
    expect(after).toEqual({ action: "refuse", reason: "refused by the guard", logged: [] });
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("refused by the guard");
  });
});

/** A link that leads to itself, whatever was there. */
function loop(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, ".."), { recursive: true });
  symlinkSync(path, path);
}

const WAYS: readonly (readonly [string, (sandbox: FileHooksSandbox) => string])[] = [
  ["root", ({ userHooks }) => userHooks],
  ["folder", ({ userHooks }) => join(userHooks, "guard")],
  ["HOOK.md", ({ userHooks }) => join(userHooks, "guard", "HOOK.md")],
];

describe("of the user's hooks, a link to itself in place of the", () => {
  test.each(WAYS)("%s refuses where nothing was known of it, until it is repaired", async (_, pathIn) => {
    const sandbox = new FileHooksSandbox();
    const path = pathIn(sandbox);
    loop(path);
    const hooks = sandbox.hooks();
    for (const each of [hooks, hooks, sandbox.hooks()]) {
      const { action, reason, error } = await sandbox.shell(each);
      expect([action, error?.code]).toEqual(["refuse", "bad_hook_file"]);
      expect(reason).toMatch(/cannot be read\W+ELOOP/);
      expect(reason).toContain(path);
    }
    expect(sandbox.logged.join()).toMatch(/error: it cannot be read\W+ELOOP/);
    rmSync(path, { recursive: true });
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
    sandbox.hook(sandbox.userHooks, "guard", GUARD);
    expect((await sandbox.shell(hooks)).reason).toBe("refused by the guard");
  });

  test.each(WAYS)("%s keeps a guard that was known, in later processes too", async (_, pathIn) => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", GUARD);
    const hooks = sandbox.hooks();
    await sandbox.shell(hooks);
    await new Promise(setImmediate);
    loop(pathIn(sandbox));
    for (const each of [hooks, hooks, sandbox.hooks(), sandbox.hooks()]) {
      expect((await sandbox.shell(each)).reason).toBe("refused by the guard");
      await new Promise(setImmediate);
    }
    expect(sandbox.logged.join()).toMatch(/error: it cannot be read\W+ELOOP/);
  });
});

test("a guard whose script cannot be reached any more refuses by its on_error", async () => {
  const sandbox = new FileHooksSandbox();
  const folder = sandbox.hook(sandbox.userHooks, "guard", { on_error: "block" }, "exit 0");
  const hooks = sandbox.hooks();
  expect((await sandbox.shell(hooks)).action).toBe("go_on");
  loop(folder);
  expect(await sandbox.shell(hooks)).toMatchObject({ action: "refuse", hook: "guard" });
});

test("a path that is too long is not an empty folder", async () => {
  const sandbox = new FileHooksSandbox();
  const home = join(sandbox.home, "x".repeat(300));
  const hooks = sandbox.hooks({ env: { ...sandbox.env, HOME: home } });
  expect(await sandbox.shell(hooks)).toMatchObject({
    action: "refuse",
    reason: expect.stringContaining("ENAMETOOLONG"),
  });
});

test("a hooks root that is a file, or that a link without a target leads to, is an empty one", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.write(sandbox.userHooks, "");
  expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
  rmSync(sandbox.userHooks);
  symlinkSync(join(sandbox.root, "nowhere"), sandbox.userHooks);
  expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
  expect(sandbox.logged).toEqual([]);
});

test("a folder that was empty at first refuses when it is replaced by one that cannot be read", async () => {
  const sandbox = new FileHooksSandbox();
  const hooks = sandbox.hooks();
  expect((await sandbox.shell(hooks)).action).toBe("go_on");
  loop(sandbox.userHooks);
  expect((await sandbox.shell(hooks)).action).toBe("refuse");
});

describe("a project's hooks folder that cannot be read", () => {
  test("is reported and refuses nothing, because what is trusted is known without it", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { matcher: { pattern: "secret" } }, DENY);
    mkdirSync(sandbox.projectHooks, { recursive: true });
    loop(join(sandbox.projectHooks, "odd"));
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
    expect((await sandbox.shell(hooks, "secret")).reason).toBe("denied");
    expect(sandbox.logged.join()).toMatch(/odd.HOOK\.md: error: it cannot be read/);
  });

  test("refuses while it is unknown what is trusted", async () => {
    const sandbox = new FileHooksSandbox();
    mkdirSync(sandbox.projectHooks, { recursive: true });
    loop(join(sandbox.projectHooks, "odd"));
    sandbox.write(join(sandbox.state, "trust.json"), "{");
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("refuse");
  });
});

test("a hooks.toml that cannot be read once is read again at the next event", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", GUARD);
  sandbox.write(join(sandbox.userHooks, "hooks.toml"), "[hooks.guard]\nenabled = false\n");
  const [before, during, after] = await answersOf(sandbox, "start ask exhaust touch-toml ask release ask");
  expect([before?.action, during?.action, after?.action]).toEqual(["go_on", "refuse", "go_on"]);
  expect(during?.logged.join()).toMatch(/hooks\.toml: error: it cannot be read/);
});
