import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DENY, World } from "./world.ts";

describe("hooks of one name", () => {
  test.each([
    ["on the same event", "before_tool"],
    ["on another event", "session_end"],
  ])("an untrusted project hook %s leaves an overridable user hook in force", async (_where, trigger) => {
    const world = new World();
    world.hook(world.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    world.hook(world.projectHooks, "guard", { trigger }, "exit 0");
    expect((await world.shell(world.hooks())).reason).toBe("denied");
    const { hooks } = await world.fileHooks().catalogue();
    expect(hooks.map(({ scope, inactive }) => [scope, inactive])).toEqual([
      ["user", undefined],
      ["project", undefined],
    ]);
  });

  test("an untrusted project hook takes no part although a trusted one with its name lies beside it", async () => {
    const world = new World();
    world.hook(world.projectHooks, "guard", {}, DENY);
    await world.trustAll();
    world.hook(world.projectHooks, "a-guard", { name: "guard" }, "exit 0");
    expect((await world.shell(world.hooks())).reason).toBe("denied");
  });

  test("a project hook that a trusted hooks.toml disables does not replace an overridable user hook", async () => {
    const world = new World();
    world.hook(world.userHooks, "guard", { metadata: { overridable: true } }, DENY);
    world.hook(world.projectHooks, "guard", {}, "exit 0");
    const toml = "[hooks.guard]\nenabled = false\n";
    world.write(join(world.projectHooks, "hooks.toml"), toml);
    await world.trustAll(toml);
    expect((await world.shell(world.hooks())).reason).toBe("denied");
  });

  test("trusted hooks of one name in nested projects both hold", async () => {
    const world = new World();
    const inner = join(world.project, "packages", "app");
    world.hook(world.projectHooks, "guard", { matcher: { pattern: "outer" } }, DENY);
    await world.trustAll();
    world.hook(join(inner, ".agents", "hooks"), "guard", { matcher: { pattern: "inner" } }, DENY);
    await world.trustAll(undefined, inner);
    const hooks = world.hooks({ cwd: inner });
    expect((await world.shell(hooks, "outer")).reason).toBe("denied");
    expect((await world.shell(hooks, "inner")).reason).toBe("denied");
    expect((await world.shell(hooks, "neither")).action).toBe("go_on");
  });

  test("the hooks.toml of an inner project adjusts its own hooks only", async () => {
    const world = new World();
    const inner = join(world.project, "packages", "app");
    world.hook(world.projectHooks, "guard", {}, DENY);
    await world.trustAll();
    const toml = "[hooks.guard]\nenabled = false\n";
    world.write(join(inner, ".agents", "hooks", "hooks.toml"), toml);
    await world.trustAll(toml, inner);
    expect((await world.shell(world.hooks({ cwd: inner }))).reason).toBe("denied");
  });

  test("the trusted hooks.toml of an outer project counts in an inner one", async () => {
    const world = new World();
    const inner = join(world.project, "packages", "app");
    world.hook(world.projectHooks, "guard", {}, DENY);
    const toml = "[hooks.guard]\nenabled = false\n";
    world.write(join(world.projectHooks, "hooks.toml"), toml);
    await world.trustAll(toml);
    world.hook(join(inner, ".agents", "hooks"), "other", {}, "exit 0");
    expect((await world.shell(world.hooks({ cwd: inner }))).action).toBe("go_on");
  });
});
