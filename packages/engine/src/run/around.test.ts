import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };
const request = { messages: [], model: "large" };

describe("around", () => {
  test("wraps the real call, higher priority further out", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.around("around_tool", async (_ctx, next) => {
      order.push("inner in");
      const result = await next();
      order.push("inner out");
      return `${result}!`;
    });
    hooks.around(
      "around_tool",
      async (_ctx, next) => {
        order.push("outer in");
        const result = await next();
        order.push("outer out");
        return result;
      },
      { priority: 10 },
    );
    const result = await hooks.call("around_tool", shell, ({ toolInput }) => {
      order.push("call");
      return `ran ${toolInput.command}`;
    });
    expect(result).toBe("ran ls!");
    expect(order).toEqual(["outer in", "inner in", "call", "inner out", "outer out"]);
  });

  test("may try again after a failure", async () => {
    const hooks = createHooks();
    hooks.around(
      "around_llm",
      async (_ctx, next) => {
        try {
          return await next();
        } catch {
          return next();
        }
      },
      { name: "retry" },
    );
    let calls = 0;
    const answer = await hooks.call("around_llm", request, () => {
      if (++calls === 1) throw new Error("overloaded");
      return "ok";
    });
    expect([answer, calls]).toEqual(["ok", 2]);
  });

  test("may fall back to another model", async () => {
    const hooks = createHooks();
    hooks.around("around_llm", (_ctx, next) => next().catch(() => next({ model: "small" })));
    const models: unknown[] = [];
    await hooks.call("around_llm", request, ({ model }) => {
      models.push(model);
      if (model === "large") throw new Error("overloaded");
    });
    expect(models).toEqual(["large", "small"]);
  });

  test("may answer from a cache without calling", async () => {
    const hooks = createHooks();
    hooks.around("around_tool", () => "cached", { matcher: "Shell" });
    const real = () => "real";
    expect(await hooks.call("around_tool", shell, real)).toBe("cached");
    expect(await hooks.call("around_tool", { ...shell, toolName: "ReadFile" }, real)).toBe("real");
  });

  test("cannot change a tool's input, which its guards have judged", async () => {
    const hooks = createHooks();
    hooks.around("around_tool", (_ctx, next) => next({ toolInput: { command: "rm" } } as never), {
      name: "sly",
    });
    await expect(hooks.call("around_tool", shell, () => "ran")).rejects.toMatchObject({
      code: "patch_not_allowed",
      hook: "sly",
    });
  });

  test("cannot run the operation twice at once", async () => {
    const hooks = createHooks();
    hooks.around("around_tool", (_ctx, next) => Promise.all([next(), next()]), { name: "eager" });
    let calls = 0;
    const ran = hooks.call("around_tool", shell, async () => void calls++);
    await expect(ran).rejects.toMatchObject({ code: "next_called_twice", hook: "eager" });
    expect(calls).toBe(1);
  });

  test("is unregistered like any registration, and wrong ones are refused", async () => {
    const hooks = createHooks();
    hooks.around("around_tool", () => "wrapped")();
    expect(await hooks.call("around_tool", shell, () => "real")).toBe("real");
    expect(() => hooks.around("around_step" as never, () => 1)).toThrow(/can be wrapped/);
    expect(() => hooks.around("around_llm", () => 1, { matcher: "Shell" as never })).toThrow(/no tool/);
    expect(() => hooks.around("around_llm", () => 1, { priority: 0.5 })).toThrow(/integer/);
    expect(() => hooks.around("around_llm", undefined as never)).toThrow(/function/);
  });
});
