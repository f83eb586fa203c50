import { block, createHooks } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { checkSupport, listNeeded } from "./check-support.ts";
import { everything } from "./testing/test-support.ts";

function setUp(options = {}) {
  const hooks = createHooks();
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const check = () => checkSupport(hooks, everything, { warn, ...options });
  return { hooks, warnings, check };
}

describe("checkSupport", () => {
  test("throws at set-up for a hook on an event that is not fired, with its name and event", () => {
    const { hooks, check } = setUp();
    hooks.on("pre_compact", () => block("keep all"), { name: "keep" });
    expect(check).toThrow(/hook "keep" on pre_compact: it would not be called by Everything/);
  });

  test("only warns for a hook that observes", () => {
    const { hooks, warnings, check } = setUp();
    hooks.on("pre_compact", () => undefined, { name: "watch", observes: true });
    check();
    expect(warnings).toEqual([expect.stringContaining('hook "watch" on pre_compact')]);
  });

  test("warns once about all hooks whose answers may not be carried out, by event", () => {
    const { hooks, warnings } = setUp();
    for (const name of ["a", "b", "c"]) hooks.on("before_step", () => undefined, { name });
    for (const name of ["a", "d"]) hooks.on("after_step", () => undefined, { name });
    hooks.on("pre_compact", () => undefined, { name: "watch", observes: true });
    const { before_step, after_step, ...others } = everything.events;
    const effects = { level: "partial", by: "a callback", effects: [] } as const;
    const support = { ...everything, events: { ...others, before_step: effects, after_step: effects } };
    const warn = (message: string) => void warnings.push(message);
    checkSupport(hooks, support, { warn });
    expect(warnings.map((warning) => warning.split("\n"))).toEqual([
      [
        expect.stringMatching(/^hooks "a", "b", "c" on before_step: Everything cannot carry out/),
        expect.stringMatching(/^hooks "a", "d" on after_step: Everything cannot carry out/),
        expect.stringMatching(/^hook "watch" on pre_compact: not called by Everything/),
      ],
    ]);
  });

  test("throws where a hook is registered later, and explain lists the framework", () => {
    const { hooks, check } = setUp();
    check();
    expect(() => hooks.on("pre_compact", () => undefined, { name: "late" })).toThrow(
      /hook "late" on pre_compact/,
    );
    expect(hooks.list("pre_compact")).toEqual([]);
    expect(hooks.explain("pre_compact", {})).toMatchObject({
      notCalledBy: [{ host: "Everything", why: "Everything has no extension point for it" }],
    });
  });

  test("throws for a hook in an inherited set too", () => {
    const parent = createHooks();
    const hooks = createHooks({ inherits: parent });
    checkSupport(hooks, everything, {});
    expect(() => parent.on("pre_compact", () => undefined)).toThrow("would not be called");
  });

  test("throws later for an event that could have been installed, and says how", () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined);
    checkSupport(hooks, everything, {}, listNeeded(hooks, everything, {}));
    expect(() => hooks.on("before_llm", () => undefined)).toThrow('{ events: "all" }');
    expect(() => hooks.around("around_llm", (_ctx, next) => next(), { name: "retry" })).toThrow(
      /hook "retry" on around_llm/,
    );
    hooks.on("before_tool", () => undefined);
  });

  test("lets the caller name events whose hooks are not enforced", () => {
    const { hooks, check } = setUp({ ignoredEvents: ["pre_compact"] });
    hooks.on("pre_compact", () => block("keep all"));
    check();
    hooks.on("pre_compact", () => block("keep all"));
  });

  test("warns at set-up for a guard of a file that may fail, and throws for one that may not", () => {
    const { hooks, warnings, check } = setUp();
    const add = (onError: "block" | "continue", source?: string) =>
      hooks.on("pre_compact", () => undefined, {
        name: "file",
        onError,
        ...(source !== undefined && { source }),
      });
    let unregister = add("continue", "/hooks/file");
    check();
    expect(warnings).toEqual([
      expect.stringContaining('hook "file" on pre_compact: not called by Everything'),
    ]);
    unregister();
    unregister = add("block", "/hooks/file");
    expect(check).toThrow(/hook "file" on pre_compact: it would not be called/);
    unregister();
    expect(() => add("continue")).toThrow(/hook "file" on pre_compact: it would not be called/);
  });

  test("throws at set-up for a guard in code that may fail", () => {
    const { hooks, check } = setUp();
    hooks.on("pre_compact", () => undefined, { name: "keep", onError: "continue" });
    expect(check).toThrow(/hook "keep" on pre_compact: it would not be called/);
  });

  test("warns of answers that may not be carried out for a guard of a file that may fail, too", () => {
    const { hooks, warnings } = setUp();
    hooks.on("before_step", () => undefined, { name: "file", source: "/hooks/file", onError: "continue" });
    const { before_step, ...others } = everything.events;
    const support = {
      ...everything,
      events: { ...others, before_step: { level: "partial", by: "a callback", effects: [] } },
    } as const;
    checkSupport(hooks, support, { warn: (message) => void warnings.push(message) });
    expect(warnings).toEqual([
      expect.stringMatching(/^hook "file" on before_step: Everything cannot carry out/),
    ]);
  });

  test("refuses a run when a guard of a source appears on an event that is not fired, and reports one that may fail", async () => {
    const { hooks, warnings, check } = setUp();
    const support = check();
    let onError: "block" | "continue" = "continue";
    let unregister = () => {};
    hooks.beforeEachDispatch((event) => {
      unregister();
      if (event === "pre_compact")
        unregister = hooks.on("pre_compact", () => undefined, {
          name: "file",
          source: "/hooks/file",
          onError,
        });
    });
    expect(await support.findRefusal?.()).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('hook "file" on pre_compact')]);
    onError = "block";
    expect(await support.findRefusal?.()).toContain('hook "file" on pre_compact');
  });
});
