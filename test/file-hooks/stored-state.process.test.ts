import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { FileHooksSandbox } from "./file-hooks-sandbox.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/stored-state/", import.meta.url));

let sandbox: FileHooksSandbox;

/** Puts a file of version 0.1.0 in place, which was written for a project and the home folder of /home/dev. */
function store(name: string, edit = (text: string) => text): void {
  const text = sandbox
    .read(join(FIXTURES, name))
    .replaceAll("/home/dev/project", sandbox.project)
    .replaceAll("/home/dev", sandbox.home);
  sandbox.write(join(sandbox.state, name), edit(text));
}

/** The hooks that the files are about, byte for byte. */
beforeEach(() => {
  sandbox = new FileHooksSandbox();
  const refuse = (name: string) => `echo refused by ${name} >&2; exit 2`;
  const { projectHooks, userHooks } = sandbox;
  const strict = ["on_error: block", "matcher: { tool: Shell, pattern: strict }"];
  sandbox.writeHook(join(projectHooks, "strict"), { fields: strict, script: refuse("strict") });
  const lenient = ["matcher: { pattern: lenient }"];
  sandbox.writeHook(join(projectHooks, "lenient"), { fields: lenient, script: refuse("lenient") });
  sandbox.write(join(projectHooks, "hooks.toml"), "[hooks.lenient]\npriority = 200\n");
  const mine = ["on_error: block", "matcher: { pattern: mine }"];
  sandbox.writeHook(join(userHooks, "mine"), { fields: mine, script: "exit 0" });
});

const LATER = (text: string) => text.replace(/"version": ?1/, '"version":2');

describe("a trust.json that an earlier version wrote", () => {
  test("counts: the hooks that it names run, and its hooks.toml applies", async () => {
    store("trust.json");
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks, "strict")).reason).toBe("refused by strict");
    expect((await sandbox.shell(hooks, "lenient")).reason).toBe("refused by lenient");
    const { hooks: listed } = await sandbox.fileHooks().catalogue();
    expect(listed.find(({ hook }) => hook.name === "lenient")?.hook.priority).toBe(200);
    expect(sandbox.logged).toEqual([]);
  });

  test("of a format that is not known yet refuses what a guard with on_error: block matches", async () => {
    store("trust.json", LATER);
    const hooks = sandbox.hooks();
    const { action, reason } = await sandbox.shell(hooks, "strict");
    expect([action, reason]).toEqual([
      "refuse",
      expect.stringContaining("newer version of Tenterhook (format 2)"),
    ]);
    expect((await sandbox.shell(hooks, "ls")).action).toBe("go_on");
  });
});

describe("a known-guards.json that an earlier version wrote", () => {
  test("counts: a guard that it names and that is gone refuses what it matched", async () => {
    store("known-guards.json");
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks, "mine")).action).toBe("go_on");
    rmSync(join(sandbox.userHooks, "mine"), { recursive: true });
    expect(await sandbox.shell(hooks, "mine")).toMatchObject({ action: "refuse", hook: "mine" });
    expect((await sandbox.shell(hooks, "ls")).action).toBe("go_on");
  });

  test.each([
    ["of a format that is not known yet", () => store("known-guards.json", LATER), "format 2"],
    ["that is missing", () => undefined, "list of your guards is missing"],
    [
      "that is a folder",
      () => sandbox.write(join(sandbox.state, "known-guards.json", "full"), ""),
      "list of your guards",
    ],
  ])("%s refuses for a guard that is gone, by the list of the hook script", async (_, spoil, message) => {
    spoil();
    sandbox.write(join(sandbox.state, "bridge", "guards"), "# Guards\nbefore_tool\t*\tmine\n");
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
    expect(sandbox.logged.join()).toContain(message);
    rmSync(join(sandbox.userHooks, "mine"), { recursive: true });
    expect(await sandbox.shell(hooks)).toMatchObject({ action: "refuse", hook: "mine" });
  });

  test("of a format that is not known yet refuses everything where the list of the hook script is missing too", async () => {
    store("known-guards.json", LATER);
    const hooks = sandbox.hooks();
    expect(await sandbox.shell(hooks)).toMatchObject({
      action: "refuse",
      reason: expect.stringContaining("known-guards.json cannot be read"),
    });
    store("known-guards.json");
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
  });
});
