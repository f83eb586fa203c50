import { getEventListeners } from "node:events";
import { ask, block, proceed, recover, skip, stop } from "@tenterhook/engine";
import { stepCountIs, wrapLanguageModel } from "ai";
import { describe, expect, test } from "vitest";
import { hooksMiddleware, hookTools } from "../../index.ts";
import { answerRequests, oneCall, type Sdk, SdkRig, shell } from "../sdk-rig.ts";

/** `hooksMiddleware` and `hookTools`, which programs use that have no settings of the SDK to wrap. */
export function partCases(sdk: Sdk): void {
  describe.each([false, true])("hooksMiddleware, streaming: %s,", (isStreamed) => {
    const newRig = (script = oneCall) => new SdkRig(sdk, script, isStreamed);
    const ignored = { ignoredEvents: RUN_EVENTS };
    const wrap = (rig: SdkRig) =>
      wrapLanguageModel({ model: rig.model, middleware: hooksMiddleware(rig.hooks, ignored) });

    test("changes the request and the answer", async () => {
      const rig = newRig([{ text: "done" }]);
      rig.hooks.on("before_llm", ({ messages }) =>
        proceed({ messages: [...messages, { role: "user", content: "Be short." }] }),
      );
      rig.hooks.on("after_llm", ({ text }) => proceed({ text: text.toUpperCase() }));
      const { text } = await rig.plainText({ model: wrap(rig), prompt: "Hello" });
      expect(text).toBe("DONE");
      expect(rig.sent[0]).toContain("Be short.");
      expect(rig.events).toEqual(["before_llm", 'after_llm completed "done"']);
    });

    test("answers instead of the model", async () => {
      const rig = newRig([]);
      rig.hooks.on("before_llm", () => skip("a cached answer"));
      expect((await rig.plainText({ model: wrap(rig), prompt: "Hello" })).text).toBe("a cached answer");
      expect(rig.sent).toEqual([]);
    });

    test("fails the call that a hook refuses with that very error", async () => {
      const rig = newRig([]);
      rig.hooks.on("before_llm", () => block("too expensive"), { name: "budget" });
      const { error } = await rig.plainText({ model: wrap(rig), prompt: "Hello" });
      expect(error).toMatchObject({ code: "model_call_refused", hook: "budget" });
    });

    test("asks again for an answer that a hook refuses, and the refused answer is in no history", async () => {
      const rig = newRig([{ text: "Maybe." }, { text: "Done." }]);
      rig.hooks.on("after_llm", ({ text }) => (text === "Maybe." ? block("be certain") : undefined));
      const { text, messages, steps } = await rig.plainText({ model: wrap(rig), prompt: "Hello" });
      expect({ text, steps: steps.length }).toEqual({ text: "Done.", steps: 1 });
      expect(JSON.stringify(messages)).not.toContain("Maybe.");
      expect(rig.sent[1]).toContain("Your last answer was refused: be certain");
    });

    test("recovers a failed call, and wraps it", async () => {
      const rig = newRig([{ error: "overloaded" }]);
      const wrapped: string[] = [];
      rig.hooks.around("around_llm", (_, next) => {
        wrapped.push("before");
        return next();
      });
      rig.hooks.on("on_error", () => recover("Try later."));
      expect((await rig.plainText({ model: wrap(rig), prompt: "Hello" })).text).toBe("Try later.");
      expect(wrapped).toEqual(["before"]);
    });

    test.each([
      ["an answer", { text: "Done." }],
      ["calls", { calls: [shell("ls")] }],
      ["an error", { error: "overloaded" }],
    ])("listens to the signal of a call no more after %s", async (_, answer) => {
      const rig = newRig([answer]);
      const { signal } = new AbortController();
      rig.hooks.around("around_llm", (_call, next) => next(), { observes: true });
      const tools = { Shell: rig.newTool() };
      const settings = { model: wrap(rig), tools, maxRetries: 0, abortSignal: signal };
      await rig.plainText({ ...settings, prompt: "Hello" });
      expect(getEventListeners(signal, "abort").length).toBe(0);
    });

    test("ends the call that a hook stops", async () => {
      const rig = newRig([{ text: "Done." }]);
      rig.hooks.on("after_llm", () => stop("enough"));
      const { error } = await rig.plainText({ model: wrap(rig), prompt: "Hello" });
      expect(error).toMatchObject({ code: "run_stopped" });
    });
  });

  test("hooksMiddleware throws for a hook that it would not call, by its name and event", () => {
    const rig = new SdkRig(sdk, []);
    rig.hooks.on("before_tool", () => undefined, { name: "guard" });
    expect(() => hooksMiddleware(rig.hooks, rig.options)).toThrow(
      /"guard" on before_tool: it would not be called by hooksMiddleware.*hookTools for those of tools, and withHooks for all/,
    );
    expect(() =>
      hooksMiddleware(rig.hooks, { ...rig.options, ignoredEvents: ["before_tool"] }),
    ).not.toThrow();
  });

  describe.each([false, true])("hookTools, streaming: %s,", (isStreamed) => {
    const newRig = (script = oneCall) => new SdkRig(sdk, script, isStreamed);
    const ignored = { ignoredEvents: [...RUN_EVENTS, "before_llm", "after_llm"] as const };
    const run = (rig: SdkRig, settings: object = {}) =>
      rig.plainText({
        model: rig.model,
        tools: hookTools({ Shell: rig.newTool() }, rig.hooks, ignored),
        prompt: "Hello",
        stopWhen: stepCountIs(3),
        ...settings,
      });

    test("blocks, changes and withholds", async () => {
      const blocked = newRig();
      blocked.hooks.on("before_tool", () => block("not on a Friday"));
      await run(blocked);
      expect(blocked.executed).toEqual([]);
      expect(blocked.sent[1]).toContain("not on a Friday");
      const changed = newRig();
      changed.hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
      changed.hooks.on("after_tool", () => block("it is secret"));
      await run(changed);
      expect(changed.executed).toEqual(["pwd"]);
      expect(changed.sent[1]).toContain("it is secret");
    });

    test("asks a person through the tool's needsApproval, and executes what was approved", async () => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => ask("is this safe?"));
      const paused = await run(rig);
      expect(paused.content.map(({ type }) => type)).toContain("tool-approval-request");
      expect(rig.executed).toEqual([]);
      const { text } = await run(rig, { prompt: undefined, ...answerRequests(paused, true) });
      expect({ text, executed: rig.executed }).toEqual({ text: "Done.", executed: ["ls"] });
    });

    test("listens to the signal of a call no more after a tool that reads it", async () => {
      const rig = newRig();
      const { signal } = new AbortController();
      const execute = (_input: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
        String(abortSignal?.aborted);
      await run(rig, {
        tools: hookTools({ Shell: rig.newTool({ execute }) }, rig.hooks, ignored),
        abortSignal: signal,
      });
      expect(rig.sent[1]).toContain("false");
      expect(getEventListeners(signal, "abort").length).toBe(0);
    });

    test("ends the run that a hook stops before a tool", async () => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => stop("enough"));
      const { error } = await run(rig);
      expect(error).toMatchObject({ code: "run_stopped" });
      expect({ executed: rig.executed, requests: rig.sent.length }).toEqual({ executed: [], requests: 1 });
    });
  });

  test("hookTools reports a stop after a tool, which the SDK does not let it carry", async () => {
    const rig = new SdkRig(sdk, oneCall);
    rig.hooks.on("after_tool", () => stop("enough"));
    const ignoredEvents = [...RUN_EVENTS, "before_llm", "after_llm"] as const;
    const tools = hookTools({ Shell: rig.newTool() }, rig.hooks, { ...rig.options, ignoredEvents });
    await rig.plainText({ model: rig.model, tools, prompt: "Hello", stopWhen: stepCountIs(3) });
    expect(rig.warnings).toEqual([expect.stringContaining('A hook stopped the run at the tool "Shell"')]);
    expect(rig.sent[1]).toContain("the run was stopped: enough");
  });

  test("hookTools throws for a hook that it would not call, by its name and event", () => {
    const rig = new SdkRig(sdk, []);
    rig.hooks.on("after_llm", () => undefined, { name: "editor" });
    expect(() => hookTools({}, rig.hooks, rig.options)).toThrow(
      /"editor" on after_llm: it would not be called by hookTools.*ignoredEvents/,
    );
  });
}

/** The events that the rig records and that only a whole run has. */
const RUN_EVENTS = [
  "before_agent",
  "before_step",
  "before_tool",
  "after_tool",
  "after_tool_failure",
  "after_step",
  "before_stop",
  "agent_failed",
  "after_agent",
] as const;
