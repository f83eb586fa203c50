import { createHooks } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { type HookSource, readHooks } from "./adapter-options.ts";

describe("the hooks that an adapter is given", () => {
  test("are a set, or something that has one", () => {
    const hooks = createHooks();
    expect([readHooks(hooks), readHooks({ hooks })]).toEqual([hooks, hooks]);
  });

  test.each([
    ["nothing", undefined, "createHooks()"],
    ["the settings of a framework", { PreToolUse: [] }, "createHooks()"],
    ["a set of another copy of the engine", { hooks: { list: () => [] } }, "installed beside"],
    ["a promise of file hooks", Promise.resolve({ hooks: createHooks() }), "await fileHooks()"],
  ])("are an error that says what to write if they are %s", (_what, source, hint) => {
    expect(() => readHooks(source as unknown as HookSource)).toThrow(
      expect.objectContaining({ code: "bad_agent", message: expect.stringContaining(hint) }),
    );
  });
});
