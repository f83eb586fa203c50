import { describe, expect, test } from "vitest";
import { type BlueprintInput, blueprint, runHookDefinition } from "./blueprint.ts";

const agentHook = { type: "agent", agent_name: "input-validator", on_error: "block" };
const processor = {
  name: "data-processor",
  type: "autonomous",
  model: "m",
} as const satisfies BlueprintInput;

/** The paths of a value's errors, as the coordinator reports them. */
function wrongAt(
  schema: { safeParse(value: unknown): { error?: { issues: { path: PropertyKey[] }[] } } },
  value: unknown,
) {
  return schema.safeParse(value).error?.issues.map(({ path }) => path.join("."));
}

describe("a hook", () => {
  test("has a type, a target and on_error; its timeout is optional", () => {
    expect(runHookDefinition.parse(agentHook)).toEqual(agentHook);
    expect(runHookDefinition.parse({ ...agentHook, timeout_seconds: 60 }).timeout_seconds).toBe(60);
  });

  test.each([
    [{ agent_name: "a", on_error: "block" }, "type"],
    [{ type: "script", on_error: "block" }, "type"],
    [{ type: "agent", on_error: "block" }, "agent_name"],
    [{ type: "agent", agent_name: "a" }, "on_error"],
    [{ ...agentHook, on_error: "retry" }, "on_error"],
    [{ ...agentHook, timeout_seconds: 0 }, "timeout_seconds"],
    [{ ...agentHook, timeout_seconds: 1.5 }, "timeout_seconds"],
    [{ ...agentHook, mode: "later" }, "mode"],
    [{ type: "http", on_error: "block" }, "url"],
    [{ type: "http", url: "ftp://example.com", on_error: "block" }, "url"],
    [{ type: "http", url: "https://example.com", method: "GET", on_error: "block" }, "method"],
  ])("%j is wrong at %s", (hook, field) => {
    expect(wrongAt(runHookDefinition, hook)).toEqual([field]);
  });

  test("over http has an address, a method and headers", () => {
    const hook = {
      type: "http",
      url: "https://api.example.com/validate",
      method: "POST",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a hook names a variable
      headers: { Authorization: "Bearer ${API_TOKEN}" },
      on_error: "continue",
      timeout_seconds: 30,
    };
    expect(runHookDefinition.parse(hook)).toEqual(hook);
  });

  test("with on_error: ignore means continue", () => {
    expect(runHookDefinition.parse({ ...agentHook, on_error: "ignore" }).on_error).toBe("continue");
  });
});

describe("a blueprint", () => {
  test("has one hook of a type, written there or by the name of a definition", () => {
    const hooks = { on_run_start: agentHook, on_run_finish: { $ref: "audit-logger" } } as const;
    const { hooks: read } = blueprint.parse({ ...processor, hooks });
    expect(read.on_run_finish).toEqual({ $ref: "audit-logger" });
    expect(wrongAt(blueprint, { ...processor, hooks: { on_run_start: [agentHook] } })).toEqual([
      "hooks.on_run_start",
    ]);
    expect(wrongAt(blueprint, { ...processor, hooks: { on_start: agentHook } })).toEqual(["hooks"]);
  });

  test("may call on_run_error on_error, but not both", () => {
    const hook = { type: "agent", agent_name: "mender", on_error: "continue" } as const;
    expect(Object.keys(blueprint.parse({ ...processor, hooks: { on_error: hook } }).hooks)).toEqual([
      "on_run_error",
    ]);
    expect(wrongAt(blueprint, { ...processor, hooks: { on_error: hook, on_run_error: hook } })).toEqual([
      "hooks.on_error",
    ]);
  });

  test('has a model or a program: by default the model "default", or the program of the agent\'s name', () => {
    expect(blueprint.parse({ name: "a", type: "autonomous" })).toMatchObject({ model: "default" });
    expect(blueprint.parse({ name: "a", type: "autonomous", model: "m" })).toMatchObject({ model: "m" });
    expect(blueprint.parse({ name: "a", type: "procedural" })).toMatchObject({ command: ["a"] });
    expect(blueprint.parse({ name: "a", type: "procedural", module: "b" })).not.toHaveProperty("command");
    expect(wrongAt(blueprint, { name: "a", type: "procedural", command: ["a"], module: "b" })).toEqual([
      "command",
    ]);
  });
});
