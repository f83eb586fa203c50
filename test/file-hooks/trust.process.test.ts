import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

describe("a clone", () => {
  test("runs no code of its own until it is trusted, and is reported on every dispatch", async () => {
    const sandbox = new FileHooksSandbox();
    const marker = join(sandbox.root, "ran");
    sandbox.hook(sandbox.projectHooks, "evil", { priority: 1000 }, `touch ${marker}`);
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
    expect(statSync(marker, { throwIfNoEntry: false })).toBeUndefined();
    expect(sandbox.reported).toHaveLength(2);
    expect(sandbox.reported[0]).toMatch(/hook "evil".*not trusted yet.*tenterhook trust/);
  });

  test("cannot stop anything by a hook that was never trusted, even with on_error block", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "rude", { on_error: "block" }, DENY);
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
  });

  test("cannot replace a user's hook by one of the same name", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    sandbox.hook(sandbox.projectHooks, "guard", { trigger: "session_end" }, "exit 0");
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    expect(sandbox.logged.join()).toMatch(/guard is shadowed by the user's hook/);
  });

  test("may replace an overridable hook of the user, once trusted", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    sandbox.hook(sandbox.projectHooks, "guard", {}, "echo 'the project says no' >&2; exit 2");
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("the project says no");
  });
});

describe("a trusted guard", () => {
  async function guarded() {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "guard", { matcher: { pattern: "rm" } }, DENY);
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks, "rm x")).reason).toBe("denied");
    return {
      sandbox,
      hooks,
      folder,
      script: join(folder, "scripts", "run.sh"),
      file: join(folder, "HOOK.md"),
    };
  }

  test.each<
    [string, (paths: { sandbox: FileHooksSandbox; folder: string; script: string; file: string }) => void]
  >([
    ["its script is edited", ({ script }) => appendFileSync(script, "\nexit 0\n")],
    ["its script is deleted", ({ script }) => unlinkSync(script)],
    [
      "its script is replaced by a link",
      ({ sandbox, script }) => {
        const other = sandbox.write(join(sandbox.root, "other.sh"), "#!/bin/sh\nexit 0\n", 0o755);
        unlinkSync(script);
        symlinkSync(other, script);
      },
    ],
    [
      "its script is edited and touched back to its old time",
      ({ script }) => {
        const { atime, mtime, size } = statSync(script);
        writeFileSync(script, "#!/bin/sh\nexit 0\n".padEnd(size, "#"));
        utimesSync(script, atime, mtime);
        expect(Math.abs(statSync(script).mtimeMs - mtime.getTime())).toBeLessThan(1);
      },
    ],
    [
      "its script loses its executable bit",
      ({ sandbox, script }) => sandbox.write(script, readFileSync(script, "utf8"), 0o644),
    ],
    [
      "a script of higher precedence is put beside it",
      ({ sandbox, folder }) => sandbox.write(join(folder, "scripts", "run"), "#!/bin/sh\n", 0o755),
    ],
    [
      "its trigger is edited away",
      ({ file }) => writeFileSync(file, readFileSync(file, "utf8").replace("before_tool", "session_end")),
    ],
    [
      "its matcher is edited away",
      ({ file }) => writeFileSync(file, readFileSync(file, "utf8").replace('"rm"', '"nothing"')),
    ],
    [
      "it is made async",
      ({ file }) =>
        writeFileSync(file, readFileSync(file, "utf8").replace("---\n\n", "async: true\n---\n\n")),
    ],
    ["its HOOK.md is broken", ({ file }) => writeFileSync(file, "no frontmatter at all")],
    ["its folder is deleted", ({ folder }) => rmSync(folder, { recursive: true })],
    ["its folder is renamed", ({ folder }) => renameSync(folder, `${folder}-2`)],
    [
      "the whole .agents folder is deleted",
      ({ sandbox }) => rmSync(join(sandbox.project, ".agents"), { recursive: true }),
    ],
  ])("still blocks what it guarded when %s", async (_what, tamper) => {
    const { hooks, ...paths } = await guarded();
    tamper(paths);
    const dispatch = await paths.sandbox.shell(hooks, "rm x");
    expect(dispatch.action).toBe("refuse");
    expect(dispatch.reason).toMatch(/hook "guard".*not run.*tenterhook trust/);
    // Calls that it did not guard proceed.
    expect((await paths.sandbox.shell(hooks, "ls")).action).toBe("go_on");
  });

  test("is not replaced by another folder that takes its name", async () => {
    const { sandbox, hooks } = await guarded();
    sandbox.hook(sandbox.projectHooks, "aaa", { name: "guard" }, "exit 0");
    expect((await sandbox.shell(hooks, "rm x")).reason).toBe("denied");
  });

  test("is not hidden by another .agents folder closer to the working directory", async () => {
    const { sandbox } = await guarded();
    const inner = join(sandbox.project, "packages", "app");
    sandbox.hook(join(inner, ".agents", "hooks"), "harmless", {}, "exit 0");
    expect((await sandbox.shell(sandbox.hooks({ cwd: inner }), "rm x")).reason).toBe("denied");
  });

  test("also covers folders whose name begins with dots", async () => {
    const { sandbox, folder } = await guarded();
    rmSync(folder, { recursive: true });
    const inner = join(sandbox.project, "..odd");
    mkdirSync(inner);
    expect((await sandbox.shell(sandbox.hooks({ cwd: inner }), "rm x")).action).toBe("refuse");
  });

  test("is not disabled by an untrusted hooks.toml", async () => {
    const { sandbox, hooks } = await guarded();
    sandbox.write(join(sandbox.projectHooks, "hooks.toml"), "[hooks.guard]\nenabled = false\n");
    expect((await sandbox.shell(hooks, "rm x")).reason).toBe("denied");
    expect(sandbox.logged.join()).toMatch(/hooks.toml: warning: it was never trusted, so it has no effect/);
  });

  test("stays disabled by the hooks.toml that was trusted, also when that is changed", async () => {
    const { sandbox } = await guarded();
    const toml = sandbox.write(join(sandbox.projectHooks, "hooks.toml"), "[hooks.guard]\nenabled = false\n");
    await sandbox.trustAll(readFileSync(toml, "utf8"));
    expect((await sandbox.shell(sandbox.hooks(), "rm x")).action).toBe("go_on");
    writeFileSync(toml, "");
    expect((await sandbox.shell(sandbox.hooks(), "rm x")).action).toBe("go_on");
    expect(sandbox.logged.join()).toMatch(/changed since it was trusted; the trusted one counts/);
  });

  test("runs again as soon as it is trusted again, without a restart", async () => {
    const { sandbox, hooks, script } = await guarded();
    writeFileSync(script, "#!/bin/sh\necho 'new words' >&2; exit 2\n");
    expect((await sandbox.shell(hooks, "rm x")).reason).toMatch(/not run/);
    await sandbox.trustAll();
    expect((await sandbox.shell(hooks, "rm x")).reason).toBe("new words");
  });

  test("guards no longer once its trust is revoked", async () => {
    const { sandbox, hooks, folder } = await guarded();
    expect([sandbox.fileHooks().trust.revoke(folder), sandbox.fileHooks().trust.revoke(folder)]).toEqual([
      true,
      false,
    ]);
    expect((await sandbox.shell(hooks, "rm x")).action).toBe("go_on");
    expect(sandbox.reported.join()).toMatch(/not trusted yet/);
  });
});

describe("what cannot refuse", () => {
  test("a trusted stop gate that was changed is skipped and reported", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "gate", { trigger: "before_stop" }, DENY);
    await sandbox.trustAll();
    appendFileSync(join(folder, "scripts", "run.sh"), "#");
    const hooks = sandbox.hooks();
    const dispatch = await hooks.dispatch("before_stop", {
      stopReason: "no_tool_calls",
      workDir: sandbox.project,
    });
    expect(dispatch.action).toBe("go_on");
    expect(sandbox.reported.join()).toMatch(/hook "gate".*changed since it was trusted/);
  });

  test("a folder with a link out of it cannot be trusted", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "linked", {}, "exit 0");
    symlinkSync(sandbox.write(join(sandbox.root, "outside.txt"), "x"), join(folder, "data.txt"));
    await expect(sandbox.trustAll()).rejects.toThrow(/data.txt is a link to .*outside the hook's folder/);
  });

  test("a damaged trust store trusts nothing, and says so", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    writeFileSync(sandbox.fileHooks().trust.path, "{ broken");
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
    expect(sandbox.reported.join()).toMatch(/it is not known what is trusted: .*trust\.json cannot be used/);
  });

  test("the trust store can be read by its user only", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    expect(statSync(sandbox.fileHooks().trust.path).mode & 0o777).toBe(0o600);
  });
});
