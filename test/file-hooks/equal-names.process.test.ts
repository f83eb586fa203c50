import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DENY, World } from "./world.ts";

// "Hook identifier (1-64 chars)": names that are equal after NFKC identify the same hook.

const WIDE = "ｇｕａｒｄ";
/** With a Cyrillic а, which looks like the Latin one. */
const LOOK_ALIKE = "gu\u0430rd";
const LET_PASS = "exit 0";

async function activeNames(world: World): Promise<readonly (readonly [string, string, string])[]> {
  const { hooks } = await world.fileHooks().catalogue();
  return hooks.map(({ scope, hook, inactive }) => [scope, hook.name, inactive ?? "active"] as const);
}

describe("a name that is equal after NFKC", () => {
  test("is the same name: a trusted hook of a project does not run beside the user's", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", {}, DENY);
    world.hook(world.projectHooks, WIDE, {}, "echo replaced >&2; exit 2");
    await world.trustAll();
    expect(await activeNames(world)).toEqual([
      ["user", "guard", "active"],
      ["project", "guard", "shadowed"],
    ]);
    expect((await world.shell(world.hooks())).reason).toBe("denied");
  });

  test.each([["guard"], [WIDE]])(
    "is shadowed at its own event, though the user's hook is for another one: %s",
    async (name) => {
      const world = new World();
      world.hook(world.userHooks, "guard", { trigger: "session_end" }, LET_PASS);
      const folder = world.hook(world.projectHooks, "other", {}, DENY);
      // Written so that only the parser can read it.
      world.write(
        join(folder, "HOOK.md"),
        `---\nname: !!str ${name}\ndescription: x\ntrigger: before_tool\n---\n`,
      );
      await world.trustAll();
      expect(await world.shell(world.hooks())).toMatchObject({ action: "go_on", failures: [] });
      const { hooks } = await world.fileHooks().catalogue("before_tool");
      expect(hooks.map(({ inactive }) => inactive)).toEqual(["shadowed"]);
    },
  );

  test("may replace a hook of the user that is overridable, once trusted, as an equal one may", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    world.hook(world.projectHooks, WIDE, {}, LET_PASS);
    expect((await world.shell(world.hooks())).reason).toBe("denied");
    await world.trustAll();
    expect(await world.shell(world.hooks())).toMatchObject({ action: "go_on", failures: [] });
  });

  test("does not inherit trust, and does not displace the hook that has it", async () => {
    const world = new World();
    world.hook(world.projectHooks, "guard", { on_error: "block" }, DENY);
    await world.trustAll();
    // It comes before the other by its folder.
    const folder = world.hook(world.projectHooks, "a-guard", { name: WIDE }, LET_PASS);
    const { reason } = await world.shell(world.hooks());
    expect(reason).toBe("denied");
    expect(world.fileHooks().trust.get(folder)).toBeUndefined();
    expect(world.fileHooks().trust.get(join(world.projectHooks, WIDE))).toBeUndefined();
    const { hooks } = await world.fileHooks().catalogue();
    expect(hooks.map(({ folder: at, isTrusted }) => [at.endsWith("a-guard"), isTrusted])).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test("of two in one folder of hooks is a duplicate, which is reported", async () => {
    const world = new World();
    world.hook(world.userHooks, "a", { name: "\u00e9" }, DENY);
    world.hook(world.userHooks, "b", { name: "e\u0301" }, LET_PASS);
    expect((await activeNames(world)).map(([, , state]) => state)).toEqual(["active", "duplicate"]);
    const { findings } = await world.fileHooks().catalogue();
    expect(findings.map(({ message }) => message).join()).toContain(
      "another hook named \u00e9 in the same folder",
    );
  });

  test("is what a hooks.toml adjusts; two such tables are an error, and the first counts", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", {}, DENY);
    const toml = join(world.userHooks, "hooks.toml");
    world.write(toml, `[hooks."${WIDE}"]\nenabled = false\n`);
    expect(await activeNames(world)).toEqual([["user", "guard", "disabled"]]);
    world.write(toml, `[hooks.guard]\nenabled = true\n[hooks."${WIDE}"]\nenabled = false\n`);
    expect(await activeNames(world)).toEqual([["user", "guard", "active"]]);
    const { findings } = await world.fileHooks().catalogue();
    expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      `error: hooks.${WIDE} is the same name as another one here, so it has no effect; keep one of them`,
    ]);
  });

  test("is the same known guard, whichever form its file, or a list from before, has", async () => {
    const world = new World();
    const folder = world.hook(world.userHooks, "guard", { name: WIDE, on_error: "block" }, LET_PASS);
    const known = (name: string) => {
      const guard = { root: world.userHooks, name, event: "before_tool", folder, onError: "block" };
      const file = join(world.home, ".local", "state", "tenterhook", "known-guards.json");
      world.write(file, JSON.stringify({ version: 1, guards: [guard] }));
    };
    for (const name of ["guard", WIDE]) {
      known(name);
      expect(await world.shell(world.hooks())).toMatchObject({ action: "go_on", failures: [] });
    }
    known(LOOK_ALIKE);
    expect((await world.shell(world.hooks())).reason).toContain("it is gone");
  });

  test("is the same name in a trust store from before names were compared in this way", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", {}, DENY);
    world.hook(world.projectHooks, "other", { name: "guard" }, LET_PASS);
    await world.trustAll();
    const store = join(world.home, ".local", "state", "tenterhook", "trust.json");
    writeFileSync(store, readFileSync(store, "utf8").replace('"name": "guard"', `"name": "${WIDE}"`));
    expect(await activeNames(world)).toEqual([
      ["user", "guard", "active"],
      ["project", "guard", "shadowed"],
    ]);
  });
});

describe("a name that only looks equal", () => {
  test("is another one: it replaces nothing, and inherits nothing", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    world.hook(world.projectHooks, LOOK_ALIKE, {}, LET_PASS);
    expect((await world.shell(world.hooks())).reason).toBe("denied");
    await world.trustAll();
    expect((await world.shell(world.hooks())).reason).toBe("denied");
    expect((await activeNames(world)).map(([, , state]) => state)).toEqual(["active", "active"]);
    mkdirSync(world.userHooks, { recursive: true });
    world.write(join(world.userHooks, "hooks.toml"), `[hooks."${LOOK_ALIKE}"]\nenabled = false\n`);
    expect((await world.shell(world.hooks())).reason).toBe("denied");
  });
});
