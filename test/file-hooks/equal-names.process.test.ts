import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

// "Hook identifier (1-64 chars)": names that are equal after NFKC identify the same hook.

const WIDE = "ｇｕａｒｄ";
/** With a Cyrillic а, which looks like the Latin one. */
const LOOK_ALIKE = "gu\u0430rd";
const LET_PASS = "exit 0";

async function activeNames(
  sandbox: FileHooksSandbox,
): Promise<readonly (readonly [string, string, string])[]> {
  const { hooks } = await sandbox.fileHooks().catalogue();
  return hooks.map(({ scope, hook, inactive }) => [scope, hook.name, inactive ?? "active"] as const);
}

describe("a name that is equal after NFKC", () => {
  test("is the same name: a trusted hook of a project does not run beside the user's", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    sandbox.hook(sandbox.projectHooks, WIDE, {}, "echo replaced >&2; exit 2");
    await sandbox.trustAll();
    expect(await activeNames(sandbox)).toEqual([
      ["user", "guard", "active"],
      ["project", "guard", "shadowed"],
    ]);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  });

  test.each([["guard"], [WIDE]])(
    "is shadowed at its own event, though the user's hook is for another one: %s",
    async (name) => {
      const sandbox = new FileHooksSandbox();
      sandbox.hook(sandbox.userHooks, "guard", { trigger: "session_end" }, LET_PASS);
      const folder = sandbox.hook(sandbox.projectHooks, "other", {}, DENY);
      // Written so that only the parser can read it.
      sandbox.write(
        join(folder, "HOOK.md"),
        `---\nname: !!str ${name}\ndescription: x\ntrigger: before_tool\n---\n`,
      );
      await sandbox.trustAll();
      expect(await sandbox.shell(sandbox.hooks())).toMatchObject({ action: "go_on", failures: [] });
      const { hooks } = await sandbox.fileHooks().catalogue("before_tool");
      expect(hooks.map(({ inactive }) => inactive)).toEqual(["shadowed"]);
    },
  );

  test("may replace a hook of the user that is overridable, once trusted, as an equal one may", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    sandbox.hook(sandbox.projectHooks, WIDE, {}, LET_PASS);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    await sandbox.trustAll();
    expect(await sandbox.shell(sandbox.hooks())).toMatchObject({ action: "go_on", failures: [] });
  });

  test("does not inherit trust, and does not displace the hook that has it", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", { on_error: "block" }, DENY);
    await sandbox.trustAll();
    // It comes before the other by its folder.
    const folder = sandbox.hook(sandbox.projectHooks, "a-guard", { name: WIDE }, LET_PASS);
    const { reason } = await sandbox.shell(sandbox.hooks());
    expect(reason).toBe("denied");
    expect(sandbox.fileHooks().trust.get(folder)).toBeUndefined();
    expect(sandbox.fileHooks().trust.get(join(sandbox.projectHooks, WIDE))).toBeUndefined();
    const { hooks } = await sandbox.fileHooks().catalogue();
    expect(hooks.map(({ folder: at, isTrusted }) => [at.endsWith("a-guard"), isTrusted])).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test("of two in one folder of hooks is a duplicate, so neither is used, which is reported", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "a", { name: "\u00e9" }, DENY);
    sandbox.hook(sandbox.userHooks, "b", { name: "e\u0301" }, LET_PASS);
    const { findings, hooks } = await sandbox.fileHooks().catalogue();
    expect(hooks.map(({ inactive, gone }) => inactive ?? gone?.why.replace(/ in .*/, ""))).toEqual([
      "duplicate",
      "duplicate",
      "2 hooks",
    ]);
    expect(findings.map(({ message }) => message).join()).toContain(
      "another hook named \u00e9 in the same folder",
    );
  });

  test("is what a hooks.toml adjusts; two such tables are an error, and the first counts", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    const toml = join(sandbox.userHooks, "hooks.toml");
    sandbox.write(toml, `[hooks."${WIDE}"]\nenabled = false\n`);
    expect(await activeNames(sandbox)).toEqual([["user", "guard", "disabled"]]);
    sandbox.write(toml, `[hooks.guard]\nenabled = true\n[hooks."${WIDE}"]\nenabled = false\n`);
    expect(await activeNames(sandbox)).toEqual([["user", "guard", "active"]]);
    const { findings } = await sandbox.fileHooks().catalogue();
    expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      `error: hooks.${WIDE} is the same name as another one here, so it has no effect; keep one of them`,
    ]);
  });

  test("is the same known guard, whichever form its file, or a list from before, has", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.userHooks, "guard", { name: WIDE, on_error: "block" }, LET_PASS);
    const known = (name: string) => {
      const guard = { root: sandbox.userHooks, name, event: "before_tool", folder, onError: "block" };
      const file = join(sandbox.home, ".local", "state", "tenterhook", "known-guards.json");
      sandbox.write(file, JSON.stringify({ version: 1, guards: [guard] }));
    };
    for (const name of ["guard", WIDE]) {
      known(name);
      expect(await sandbox.shell(sandbox.hooks())).toMatchObject({ action: "go_on", failures: [] });
    }
    known(LOOK_ALIKE);
    expect((await sandbox.shell(sandbox.hooks())).reason).toContain("it is gone");
  });

  test("is the same name in a trust store from before names were compared in this way", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    sandbox.hook(sandbox.projectHooks, "other", { name: "guard" }, LET_PASS);
    await sandbox.trustAll();
    const store = join(sandbox.home, ".local", "state", "tenterhook", "trust.json");
    writeFileSync(store, readFileSync(store, "utf8").replace('"name": "guard"', `"name": "${WIDE}"`));
    expect(await activeNames(sandbox)).toEqual([
      ["user", "guard", "active"],
      ["project", "guard", "shadowed"],
    ]);
  });
});

describe("a name that only looks equal", () => {
  test("is another one: it replaces nothing, and inherits nothing", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    sandbox.hook(sandbox.projectHooks, LOOK_ALIKE, {}, LET_PASS);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    await sandbox.trustAll();
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    expect((await activeNames(sandbox)).map(([, , state]) => state)).toEqual(["active", "active"]);
    mkdirSync(sandbox.userHooks, { recursive: true });
    sandbox.write(join(sandbox.userHooks, "hooks.toml"), `[hooks."${LOOK_ALIKE}"]\nenabled = false\n`);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  });
});
