import { block, proceed, recover, stop } from "@tenterhook/engine";
import { APICallError } from "ai";
import { describe, expect, test } from "vitest";
import type { MockAnswer } from "../mock-model.ts";
import { oneCall, type Sdk, SdkRig, shell } from "../sdk-rig.ts";

const rateLimit = () =>
  new APICallError({
    message: "too many requests",
    url: "https://example.com",
    requestBodyValues: {},
    statusCode: 429,
    isRetryable: true,
    // Without it the SDK would wait for two seconds.
    responseHeaders: { "retry-after-ms": "0" },
  });

/** How runs end: stopped, aborted, failed, retried, kept running. */
export function endingCases(sdk: Sdk): void {
  describe.each([false, true])("the end of a run, streaming: %s,", (isStreamed) => {
    const newRig = (script: readonly MockAnswer[] = oneCall) => new SdkRig(sdk, script, isStreamed);
    const endings = (rig: SdkRig) => rig.events.filter((event) => /^(agent_failed|after_agent)/.test(event));

    test("a stop at a tool ends the run after the calls beside it, and no model is called again", async () => {
      const rig = newRig([{ calls: [shell("a"), shell("rm", "2"), shell("c", "3")] }, { text: "Done." }]);
      rig.hooks.on("after_tool", ({ toolInput }) =>
        toolInput.command === "rm" ? stop("enough") : undefined,
      );
      const { error } = await rig.run();
      expect(error).toMatchObject({ code: "run_stopped" });
      expect(rig.sent.length).toBe(1);
      expect(endings(rig)).toEqual(["after_agent stopped"]);
    });

    test.each([
      "before_agent",
      "before_step",
      "before_llm",
      "after_llm",
      "after_step",
      "before_stop",
    ] as const)("a stop at %s ends the run, and after_agent is fired once", async (event) => {
      const rig = newRig([{ text: "Done." }]);
      rig.hooks.on(event, () => stop("enough"));
      const { error } = await rig.run();
      expect(error).toMatchObject({ code: "run_stopped" });
      expect(endings(rig)).toEqual(["after_agent stopped"]);
    });

    test("an abort while the model answers ends the run as stopped", async () => {
      const controller = new AbortController();
      const wait = ({ abortSignal }: { abortSignal?: AbortSignal | undefined }) =>
        new Promise<void>((_, reject) => {
          abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
          controller.abort(new Error("the user left"));
        });
      const rig = newRig([{ text: "Half", wait }]);
      const { error } = await rig.run({}, { prompt: "Hello", abortSignal: controller.signal });
      expect(error).toBeDefined();
      expect(endings(rig)).toEqual(["after_agent stopped"]);
      expect(rig.events).toContain('after_llm stopped ""');
    });

    test("an abort while a tool is executed ends the run as stopped, and the tool's own signal is aborted", async () => {
      const controller = new AbortController();
      const rig = newRig();
      let isAborted = false;
      const execute = (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal.addEventListener("abort", () => {
            isAborted = true;
            reject(abortSignal.reason);
          });
          controller.abort(new Error("the user left"));
        });
      const { error } = await rig.run(
        { tools: { Shell: rig.newTool({ execute }) } },
        { prompt: "Hello", abortSignal: controller.signal },
      );
      expect(error).toBeDefined();
      expect({ isAborted, requests: rig.sent.length }).toEqual({ isAborted: true, requests: 1 });
      expect(endings(rig)).toEqual(["after_agent stopped"]);
    });

    test("a stop aborts the signal of the calls beside it", async () => {
      const rig = newRig([{ calls: [shell("wait"), shell("rm", "2")] }, { text: "Done." }]);
      rig.hooks.on("before_tool", ({ toolInput }) =>
        toolInput.command === "rm" ? stop("enough") : undefined,
      );
      const execute = ({ command }: { command: string }, { abortSignal }: { abortSignal: AbortSignal }) =>
        new Promise((resolve, reject) => {
          rig.executed.push(command);
          if (abortSignal.aborted) reject(abortSignal.reason);
          abortSignal.addEventListener("abort", () => reject(abortSignal.reason));
          if (command !== "wait") resolve("ran");
        });
      const { error } = await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
      expect(error).toMatchObject({ code: "run_stopped" });
      expect(rig.executed).not.toContain("rm");
      expect(endings(rig)).toEqual(["after_agent stopped"]);
    });

    test("a call that the SDK retries is one step, and hooks are called about each attempt", async () => {
      const rig = newRig([{ throws: rateLimit() }, { throws: rateLimit() }, { text: "Done." }]);
      expect((await rig.run()).text).toBe("Done.");
      expect(rig.events).toEqual([
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        "on_error llm too many requests",
        'after_llm failed ""',
        "before_llm",
        "on_error llm too many requests",
        'after_llm failed ""',
        "before_llm",
        'after_llm completed "Done."',
        "after_step 0 completed",
        "before_stop no_tool_calls",
        "after_agent completed",
      ]);
    });

    test("a call that fails more often than the SDK retries fails the run once", async () => {
      const rig = newRig([{ throws: rateLimit() }, { throws: rateLimit() }]);
      const { error } = await rig.run({ maxRetries: 1 });
      expect(error?.message).toContain("too many requests");
      expect(endings(rig)).toEqual(["agent_failed too many requests", "after_agent failed"]);
      expect(rig.sent.length).toBe(2);
    });

    test("an error that a hook replaces is the one that the caller gets", async () => {
      const rig = newRig([{ error: "overloaded" }]);
      rig.hooks.on("on_error", () => proceed({ error: { name: "Error", message: "try later" } as never }));
      const { error } = await rig.run();
      expect(error?.message).toBe("try later");
      expect(endings(rig)).toEqual(["agent_failed try later", "after_agent failed"]);
    });

    test("a refused call is not retried", async () => {
      const rig = newRig([]);
      rig.hooks.on("before_llm", () => block("too expensive"), { name: "budget" });
      const { error } = await rig.run();
      expect(error).toMatchObject({ code: "model_call_refused", hook: "budget" });
      expect(rig.events.filter((event) => event === "before_llm").length).toBe(1);
    });

    test("an error of the program's own prepareStep fails the run, and after_agent is fired", async () => {
      const rig = newRig();
      const prepareStep = ({ stepNumber }: { stepNumber: number }) => {
        if (stepNumber === 1) throw new Error("no budget");
      };
      expect((await rig.run({ prepareStep })).error?.message).toContain("no budget");
      expect(endings(rig)).toEqual(["agent_failed no budget", "after_agent failed"]);
    });

    test("a gate that is never satisfied fails the run at its limit", async () => {
      const rig = newRig(Array.from({ length: 5 }, () => ({ text: "Almost." })));
      rig.hooks.on("before_stop", () => block("run the tests"));
      const { error } = await rig.call(rig.newAgent({}, { maxHolds: 2 }));
      expect(error).toMatchObject({ code: "gate_unsatisfied" });
      expect(rig.sent.length).toBe(3);
      expect(endings(rig).at(-1)).toBe("after_agent failed");
    });

    test("an agent whose tool choice allows no calls cannot be kept running, and fails", async () => {
      const rig = newRig([{ text: "Almost." }]);
      rig.hooks.on("before_stop", () => block("run the tests"));
      const { error } = await rig.run({ toolChoice: "none" });
      expect(error).toMatchObject({ code: "gate_unsatisfied" });
    });

    test("the feedback of earlier rounds stays in the conversation", async () => {
      const rig = newRig([{ text: "One." }, { text: "Two." }, { text: "Done." }]);
      rig.hooks.on("before_stop", ({ finalMessage }) =>
        finalMessage?.content === "Done." ? undefined : block(`after ${String(finalMessage?.content)}`),
      );
      expect((await rig.run()).text).toBe("Done.");
      expect(rig.sent[2]).toMatch(/One\..*after One\..*Two\..*after Two\./);
    });

    test("an agent inside a tool is a subagent, whose stop ends both", async () => {
      const rig = newRig();
      const inner = new SdkRig(sdk, [{ text: "unused" }], isStreamed);
      rig.hooks.on("before_llm", ({ agent }) => (agent?.name === "helper" ? stop("enough") : undefined));
      const execute = async () => {
        const agent = rig.newAgent({ id: "helper", model: inner.model });
        const { error, text } = await rig.call(agent, { prompt: "Help" });
        if (error !== undefined) throw error;
        return text;
      };
      const { error } = await rig.run({ id: "main", tools: { Shell: rig.newTool({ execute }) } });
      expect(error).toMatchObject({ code: "run_stopped" });
      expect(rig.sent.length).toBe(1);
      expect(endings(rig)).toEqual(["after_agent stopped", "after_agent stopped"]);
    });

    test("a subagent starts with the task that a hook changed, and is kept running by subagent_stop", async () => {
      const rig = newRig();
      const inner = new SdkRig(sdk, [{ text: "Almost." }, { text: "All done." }], isStreamed);
      const seen: unknown[] = [];
      rig.hooks.on("subagent_start", ({ subagentName, taskDescription }) => {
        seen.push(subagentName, taskDescription);
        return proceed({ taskDescription: "Help quickly" }, { context: "It is late." });
      });
      rig.hooks.on("subagent_stop", ({ finalMessage }) =>
        finalMessage?.content === "Almost." ? block("go on") : undefined,
      );
      const execute = async () => {
        const agent = rig.newAgent({ id: "helper", model: inner.model });
        return (await rig.call(agent, { prompt: "Help" })).text;
      };
      expect((await rig.run({ tools: { Shell: rig.newTool({ execute }) } })).text).toBe("Done.");
      expect(seen).toEqual(["helper", "Help"]);
      expect(inner.sent[0]).toMatch(/Help quickly.*It is late\./);
      expect(inner.sent[1]).toContain("go on");
      expect(rig.sent[1]).toContain("All done.");
    });

    test.each(["subagent_start", "subagent_stop"] as const)(
      "a stop at %s ends the subagent and its caller",
      async (event) => {
        const rig = newRig();
        const inner = new SdkRig(sdk, [{ text: "All done." }], isStreamed);
        rig.hooks.on(event, () => stop("enough"));
        const execute = async () =>
          (await rig.call(rig.newAgent({ model: inner.model }), { prompt: "Help" })).text;
        const { error } = await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
        expect(error).toMatchObject({ code: "run_stopped" });
        expect(rig.sent.length).toBe(1);
      },
    );

    test("a subagent that a hook refuses does not call its model, and the parent goes on", async () => {
      const rig = newRig();
      const inner = new SdkRig(sdk, [], isStreamed);
      rig.hooks.on("subagent_start", () => block("no helpers today"));
      const execute = async () => {
        const { error } = await rig.call(rig.newAgent({ model: inner.model }), { prompt: "Help" });
        throw error;
      };
      expect((await rig.run({ tools: { Shell: rig.newTool({ execute }) } })).text).toBe("Done.");
      expect(rig.sent[1]).toContain("no helpers today");
      expect(inner.sent).toEqual([]);
    });

    test("an error in a stream that has begun is offered to hooks, and may be recovered", async () => {
      const wait = () => Promise.reject(new Error("the connection broke"));
      const rig = newRig([{ text: "Half", wait }]);
      rig.hooks.on("on_error", ({ error }) => recover(`Sorry: ${error.message}`));
      expect((await rig.run()).text).toBe("Sorry: the connection broke");
      expect(endings(rig)).toEqual(["after_agent completed"]);
    });

    test("an error in a stream that has begun fails the run once", async () => {
      const wait = () => Promise.reject(new Error("the connection broke"));
      const rig = newRig([{ text: "Half", wait }]);
      expect((await rig.run()).error?.message).toBe("the connection broke");
      expect(endings(rig)).toEqual(["agent_failed the connection broke", "after_agent failed"]);
    });
  });

  describe("what a stream shows", () => {
    const readDeltas = async (rig: SdkRig, onDelta: () => void) => {
      const { fullStream } = (await rig.newAgent().stream({ prompt: "Hello" })) as {
        readonly fullStream: AsyncIterable<{ type: string }>;
      };
      for await (const { type } of fullStream) if (type === "text-delta") onDelta();
    };

    test("text is shown while the model writes it, although hooks watch the answer and guard tools", async () => {
      let showText = () => {};
      const isShown = new Promise<void>((resolve) => {
        showText = resolve;
      });
      // The model does not end its answer before the text was shown.
      const rig = new SdkRig(sdk, [{ text: "Done.", wait: () => isShown }], true);
      rig.hooks.on("before_tool", () => undefined);
      await readDeltas(rig, showText);
      expect(rig.events).toContain('after_llm completed "Done."');
    });

    test("text that a hook may change is shown after the hook has seen it", async () => {
      const rig = new SdkRig(sdk, [{ text: "Done.", wait: async () => undefined }], true);
      const order: string[] = [];
      rig.hooks.on("after_llm", () => void order.push("hook"));
      await readDeltas(rig, () => void order.push("text"));
      expect(order).toEqual(["hook", "text"]);
    });
  });
}
