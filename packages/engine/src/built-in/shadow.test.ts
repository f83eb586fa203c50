import { ask, block, proceed } from "@tenterhook/protocol";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import type { Context } from "../context/hook-context.ts";
import { createHooks } from "../hooks.ts";
import type { Handler } from "../register/hook.ts";
import { type ShadowReport, shadow } from "./shadow.ts";

const CALL = { toolName: "Shell", toolInput: { command: "rm -rf /" } };

function watched(handler: Handler<"before_tool">) {
  const hooks = createHooks();
  const reports: ShadowReport<"before_tool">[] = [];
  hooks.on("before_tool", shadow(handler, { report: (report) => void reports.push(report) }));
  return { hooks, reports };
}

describe("shadow", () => {
  test("reports a refusal and lets the action proceed", async () => {
    const { hooks, reports } = watched(function guard() {
      return block("no");
    });
    const { action } = await hooks.dispatch("before_tool", CALL);
    expect(action).toBe("go_on");
    expect(reports).toEqual([{ event: "before_tool", hook: "guard", judging: false, outcome: block("no") }]);
  });

  test("reports a change and does not make it", async () => {
    const { hooks, reports } = watched(() => proceed({ toolInput: {} }));
    const { payload } = await hooks.dispatch("before_tool", CALL);
    expect(payload).toBe(CALL);
    expect(reports.map(({ outcome }) => outcome?.type)).toEqual(["proceed"]);
  });

  test("reports nothing when the hook would have done nothing", async () => {
    const answers = [undefined, proceed(), proceed({})];
    for (const answer of answers) {
      const { hooks, reports } = watched(() => answer);
      await hooks.dispatch("before_tool", CALL);
      expect(reports).toEqual([]);
    }
  });

  test("reports what is thrown, rejected or no outcome at all as an error", async () => {
    const handlers: Handler<"before_tool">[] = [
      () => {
        throw new Error("broken");
      },
      () => Promise.reject(new Error("broken")),
      () => true as never,
      () => ({ type: "recover" }) as never,
    ];
    for (const handler of handlers) {
      const { hooks, reports } = watched(handler);
      expect((await hooks.dispatch("before_tool", CALL)).action).toBe("go_on");
      expect(reports).toHaveLength(1);
      expect(reports[0]?.error).toBeInstanceOf(Error);
    }
  });

  test("is waited for when the hook is async", async () => {
    const later = watched(async () => block("no"));
    expect((await later.hooks.dispatch("before_tool", CALL)).action).toBe("go_on");
    expect(later.reports).toHaveLength(1);
  });

  test("distinguishes a second judgement from a first", async () => {
    const { hooks, reports } = watched(({ toolInput }) => (toolInput.late ? block("late") : undefined));
    hooks.on("before_tool", () => proceed({ toolInput: { late: true } }));
    expect((await hooks.dispatch("before_tool", CALL)).action).toBe("go_on");
    expect(reports.map(({ judging }) => judging)).toEqual([true]);
  });

  test("continues when the report itself fails, and warns", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const hooks = createHooks();
    const guard = (): ReturnType<typeof block> => block("no");
    const fails = (): never => {
      throw new Error("disk full");
    };
    hooks.on("before_tool", shadow(guard, { report: fails }));
    hooks.on("before_tool", shadow(guard, { report: () => Promise.reject(new Error("disk full")) as never }));
    expect((await hooks.dispatch("before_tool", CALL)).action).toBe("go_on");
    await Promise.resolve();
    expect(warned).toHaveBeenCalledTimes(2);
    warned.mockRestore();
  });

  test("is listed as a hook that is not enforced, is in the trace, and does not block by being late", async () => {
    const hooks = createHooks({ report: () => {} });
    hooks.on(
      "before_tool",
      shadow(() => new Promise<never>(() => {}), { report: () => {} }),
      { timeoutMs: 5 },
    );
    hooks.on(
      "before_tool",
      shadow(() => block("no"), { report: () => {} }),
    );
    expect(hooks.list().map(({ enforce }) => enforce)).toEqual([false, false]);
    const { action, trace } = await hooks.dispatch("before_tool", CALL);
    expect(action).toBe("go_on");
    expect(trace.entries.map(({ verdict }) => verdict)).toEqual(["failed", "would_block"]);
  });

  test("has no effect where another function calls it and passes on its answer", async () => {
    const hooks = createHooks({ report: () => {} });
    const reports: unknown[] = [];
    const shadowed = [
      shadow<"before_tool">(() => block("no"), { report: (report) => void reports.push(report) }),
      shadow<"before_tool">(async () => block("no"), { report: (report) => void reports.push(report) }),
    ];
    for (const handler of shadowed) hooks.on("before_tool", (context) => handler(context));
    expect((await hooks.dispatch("before_tool", CALL)).action).toBe("go_on");
    expect(reports).toHaveLength(2);
  });

  test("is named after the hook it watches", () => {
    const hooks = createHooks();
    const report = (): void => {};
    hooks.on(
      "before_tool",
      shadow(function guard() {}, { report }),
    );
    expect(hooks.list()).toMatchObject([{ name: "shadow(guard)" }]);
  });

  test("takes and gives a handler of the event it is registered on", () => {
    const hooks = createHooks();
    const report = (): void => {};
    hooks.on(
      "before_tool",
      shadow(
        (ctx) => {
          expectTypeOf(ctx).toEqualTypeOf<Context<"before_tool">>();
          return block(ctx.toolName);
        },
        { report },
      ),
    );
    const guard: Handler<"after_llm"> = () => undefined;
    expectTypeOf(shadow(guard, { report })).toEqualTypeOf<Handler<"after_llm">>();
    // @ts-expect-error A hook of one event cannot watch another.
    hooks.on("before_tool", shadow(guard, { report }));
    const asking = () => ask("?");
    // @ts-expect-error before_agent has no ask.
    hooks.on("before_agent", shadow(asking, { report }));
  });
});
