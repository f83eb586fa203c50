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
import { DENY, World } from "./world.ts";

describe("a clone", () => {
  test("runs no code of its own until it is trusted, and is reported on every dispatch", async () => {
    const world = new World();
    const marker = join(world.root, "ran");
    world.hook(world.projectHooks, "evil", { priority: 1000 }, `touch ${marker}`);
    const hooks = world.hooks();
    expect((await world.shell(hooks)).action).toBe("go_on");
    expect((await world.shell(hooks)).action).toBe("go_on");
    expect(statSync(marker, { throwIfNoEntry: false })).toBeUndefined();
    expect(world.reported).toHaveLength(2);
    expect(world.reported[0]).toMatch(/hook "evil".*not trusted yet.*tenterhook trust/);
  });

  test("cannot stop anything by a hook that was never trusted, even with on_error block", async () => {
    const world = new World();
    world.hook(world.projectHooks, "rude", { on_error: "block" }, DENY);
    expect((await world.shell(world.hooks())).action).toBe("go_on");
  });

  test("cannot replace a user's hook by one of the same name", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", {}, DENY);
    world.hook(world.projectHooks, "guard", { trigger: "session_end" }, "exit 0");
    await world.trustAll();
    expect((await world.shell(world.hooks())).reason).toBe("denied");
    expect(world.logged.join()).toMatch(/guard is shadowed by the user's hook/);
  });

  test("may replace an overridable hook of the user, once trusted", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    world.hook(world.projectHooks, "guard", {}, "echo 'the project says no' >&2; exit 2");
    await world.trustAll();
    expect((await world.shell(world.hooks())).reason).toBe("the project says no");
  });
});

describe("a trusted guard", () => {
  async function guarded() {
    const world = new World();
    const folder = world.hook(world.projectHooks, "guard", { matcher: { pattern: "rm" } }, DENY);
    await world.trustAll();
    const hooks = world.hooks();
    expect((await world.shell(hooks, "rm x")).reason).toBe("denied");
    return { world, hooks, folder, script: join(folder, "scripts", "run.sh"), file: join(folder, "HOOK.md") };
  }

  test.each<[string, (paths: { world: World; folder: string; script: string; file: string }) => void]>([
    ["its script is edited", ({ script }) => appendFileSync(script, "\nexit 0\n")],
    ["its script is deleted", ({ script }) => unlinkSync(script)],
    [
      "its script is replaced by a link",
      ({ world, script }) => {
        const other = world.write(join(world.root, "other.sh"), "#!/bin/sh\nexit 0\n", 0o755);
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
      ({ world, script }) => world.write(script, readFileSync(script, "utf8"), 0o644),
    ],
    [
      "a script of higher precedence is put beside it",
      ({ world, folder }) => world.write(join(folder, "scripts", "run"), "#!/bin/sh\n", 0o755),
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
      ({ world }) => rmSync(join(world.project, ".agents"), { recursive: true }),
    ],
  ])("still blocks what it guarded when %s", async (_what, tamper) => {
    const { hooks, ...paths } = await guarded();
    tamper(paths);
    const dispatch = await paths.world.shell(hooks, "rm x");
    expect(dispatch.action).toBe("refuse");
    expect(dispatch.reason).toMatch(/hook "guard".*not run.*tenterhook trust/);
    // Calls that it did not guard proceed.
    expect((await paths.world.shell(hooks, "ls")).action).toBe("go_on");
  });

  test("is not replaced by another folder that takes its name", async () => {
    const { world, hooks } = await guarded();
    world.hook(world.projectHooks, "aaa", { name: "guard" }, "exit 0");
    expect((await world.shell(hooks, "rm x")).reason).toBe("denied");
  });

  test("is not hidden by another .agents folder closer to the working directory", async () => {
    const { world } = await guarded();
    const inner = join(world.project, "packages", "app");
    world.hook(join(inner, ".agents", "hooks"), "harmless", {}, "exit 0");
    expect((await world.shell(world.hooks({ cwd: inner }), "rm x")).reason).toBe("denied");
  });

  test("also covers folders whose name begins with dots", async () => {
    const { world, folder } = await guarded();
    rmSync(folder, { recursive: true });
    const inner = join(world.project, "..odd");
    mkdirSync(inner);
    expect((await world.shell(world.hooks({ cwd: inner }), "rm x")).action).toBe("refuse");
  });

  test("is not disabled by an untrusted hooks.toml", async () => {
    const { world, hooks } = await guarded();
    world.write(join(world.projectHooks, "hooks.toml"), "[hooks.guard]\nenabled = false\n");
    expect((await world.shell(hooks, "rm x")).reason).toBe("denied");
    expect(world.logged.join()).toMatch(/hooks.toml: warning: it was never trusted, so it has no effect/);
  });

  test("stays disabled by the hooks.toml that was trusted, also when that is changed", async () => {
    const { world } = await guarded();
    const toml = world.write(join(world.projectHooks, "hooks.toml"), "[hooks.guard]\nenabled = false\n");
    await world.trustAll(readFileSync(toml, "utf8"));
    expect((await world.shell(world.hooks(), "rm x")).action).toBe("go_on");
    writeFileSync(toml, "");
    expect((await world.shell(world.hooks(), "rm x")).action).toBe("go_on");
    expect(world.logged.join()).toMatch(/changed since it was trusted; the trusted one counts/);
  });

  test("runs again as soon as it is trusted again, without a restart", async () => {
    const { world, hooks, script } = await guarded();
    writeFileSync(script, "#!/bin/sh\necho 'new words' >&2; exit 2\n");
    expect((await world.shell(hooks, "rm x")).reason).toMatch(/not run/);
    await world.trustAll();
    expect((await world.shell(hooks, "rm x")).reason).toBe("new words");
  });

  test("guards no longer once its trust is revoked", async () => {
    const { world, hooks, folder } = await guarded();
    expect([world.fileHooks().trust.revoke(folder), world.fileHooks().trust.revoke(folder)]).toEqual([
      true,
      false,
    ]);
    expect((await world.shell(hooks, "rm x")).action).toBe("go_on");
    expect(world.reported.join()).toMatch(/not trusted yet/);
  });
});

describe("what cannot refuse", () => {
  test("a trusted stop gate that was changed is skipped and reported", async () => {
    const world = new World();
    const folder = world.hook(world.projectHooks, "gate", { trigger: "before_stop" }, DENY);
    await world.trustAll();
    appendFileSync(join(folder, "scripts", "run.sh"), "#");
    const hooks = world.hooks();
    const dispatch = await hooks.dispatch("before_stop", {
      stopReason: "no_tool_calls",
      workDir: world.project,
    });
    expect(dispatch.action).toBe("go_on");
    expect(world.reported.join()).toMatch(/hook "gate".*changed since it was trusted/);
  });

  test("a folder with a link out of it cannot be trusted", async () => {
    const world = new World();
    const folder = world.hook(world.projectHooks, "linked", {}, "exit 0");
    symlinkSync(world.write(join(world.root, "outside.txt"), "x"), join(folder, "data.txt"));
    await expect(world.trustAll()).rejects.toThrow(/data.txt is a link to .*outside the hook's folder/);
  });

  test("a damaged trust store trusts nothing, and says so", async () => {
    const world = new World();
    world.hook(world.projectHooks, "guard", {}, DENY);
    await world.trustAll();
    writeFileSync(world.fileHooks().trust.path, "{ broken");
    expect((await world.shell(world.hooks())).action).toBe("go_on");
    expect(world.reported.join()).toMatch(/it is not known what is trusted: .*trust\.json cannot be used/);
  });

  test("the trust store can be read by its user only", async () => {
    const world = new World();
    world.hook(world.projectHooks, "guard", {}, DENY);
    await world.trustAll();
    expect(statSync(world.fileHooks().trust.path).mode & 0o777).toBe(0o600);
  });
});
