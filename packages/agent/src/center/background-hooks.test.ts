import { block, proceed, type TenterhookError } from "@tenterhook/engine";
import { recordWarnings } from "@tenterhook/test-support/record-warnings";
import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../testing/index.ts";
import { type AgentCenterOptions, createAgentCenter } from "./agent-center.ts";

const assistant = {
  id: "assistant",
  name: "Assistant",
  description: "",
  modelName: "gpt-4",
  instructions: "",
};

function centerWith(lists: object, options: AgentCenterOptions = {}, script: Script = ["Hi!", "Hi again!"]) {
  const center = createAgentCenter(options);
  const model = scriptedModel(script);
  center.registerModel("gpt-4", model);
  center.registerAgent({ ...assistant, ...lists });
  const session = center.createSession("assistant");
  const hello = () => center.runAgent({ session, message: "Hello!" });
  return { center, model, session, hello };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe("pre-hooks that do not block", () => {
  const lists = { preHookNames: ["request-logger"] };

  test("return immediately: the run ends while they still run", async () => {
    const { center, hello } = centerWith(lists);
    const { opened, open } = gate();
    center.registerPreHook({ name: "request-logger", blocking: false }, () => opened);
    expect((await hello()).output).toBe("Hi!");
    expect(center.backgroundHookCount).toBe(1);
    open();
    await center.waitForBackgroundHooks();
  });

  test("run in the background, on the message as the blocking ones left it", async () => {
    const { center, hello } = centerWith({ preHookNames: ["request-logger", "polite"] });
    const { opened, open } = gate();
    const logged: string[] = [];
    center.registerPreHook({ name: "polite" }, () => proceed({ message: "Good day!" }));
    center.registerPreHook({ name: "request-logger", blocking: false }, async ({ agent, userMessage }) => {
      await opened;
      logged.push(`${agent.name}: ${userMessage}`);
    });
    await hello();
    expect(logged).toEqual([]);
    open();
    await center.waitForBackgroundHooks();
    expect(logged).toEqual(["Assistant: Good day!"]);
  });

  test("do not affect the agent by their errors, which are reported", async () => {
    const reported: TenterhookError[] = [];
    const { center, hello } = centerWith(lists, { report: (failure) => reported.push(failure) });
    const down = new Error("log server is down");
    center.registerPreHook({ name: "request-logger", blocking: false }, () => Promise.reject(down));
    expect((await hello()).status).toBe("completed");
    await center.waitForBackgroundHooks();
    expect(reported).toMatchObject([{ code: "hook_threw", hook: "request-logger", cause: down }]);
  });

  test("are not launched when a blocking one refuses or fails", async () => {
    const { center, hello } = centerWith({ preHookNames: ["request-logger", "guard"] });
    let refusals = 0;
    center.registerPreHook({ name: "guard" }, () => {
      if (refusals++ > 0) throw new Error("broken");
      return block("no");
    });
    center.registerPreHook({ name: "request-logger", blocking: false }, () => expect.unreachable());
    await hello();
    await expect(hello()).rejects.toThrow("broken");
    expect(center.backgroundHookCount).toBe(0);
  });
});

describe("post-hooks that do not block", () => {
  const lists = { postHookNames: ["response-logger"] };

  test("are not waited for: the run is returned while they still run", async () => {
    const { center, hello } = centerWith(lists);
    const { opened, open } = gate();
    center.registerPostHook({ name: "response-logger", blocking: false }, () => opened);
    expect((await hello()).output).toBe("Hi!");
    expect(center.backgroundHookCount).toBe(1);
    open();
    await center.waitForBackgroundHooks();
  });

  test("run in the background, and are given the run, which they cannot change", async () => {
    const { center, hello } = centerWith(lists);
    const logged: unknown[] = [];
    center.registerPostHook({ name: "response-logger", blocking: false }, ({ metadata }, run) => {
      logged.push(run.output, run.duration > 0, Object.isFrozen(metadata), Object.isFrozen(run.usage));
    });
    await hello();
    expect(logged).toEqual([]);
    await center.waitForBackgroundHooks();
    expect(logged).toEqual(["Hi!", true, true, true]);
  });

  test("are not launched when a blocking one throws", async () => {
    const { center, hello } = centerWith({ postHookNames: ["response-logger", "check"] });
    center.registerPostHook({ name: "check" }, () => Promise.reject(new Error("broken")));
    center.registerPostHook({ name: "response-logger", blocking: false }, () => expect.unreachable());
    await expect(hello()).rejects.toThrow("broken");
    expect(center.backgroundHookCount).toBe(0);
  });

  test("have their errors logged only; without a reporter as a process warning", async () => {
    const { center, hello } = centerWith(lists);
    const warnings = recordWarnings();
    center.registerPostHook({ name: "response-logger", blocking: false }, () => {
      throw new Error("log server is down");
    });
    expect((await hello()).status).toBe("completed");
    await expect
      .poll(() => warnings)
      .toMatchObject([
        {
          name: "TenterhookWarning",
          message: expect.stringMatching(/response-logger.*log server is down/),
        },
      ]);
  });
});

describe("the lifecycle of background hooks", () => {
  const lists = { preHookNames: ["slow"], postHookNames: ["slow"] };

  test("each is cleaned up when it has ended, also by an error", async () => {
    const { center, hello } = centerWith(lists, { report: () => undefined });
    const [first, second] = [gate(), gate()];
    center.registerPreHook({ name: "slow", blocking: false }, () => first.opened);
    center.registerPostHook({ name: "slow", blocking: false }, async () => {
      await second.opened;
      throw new Error("late");
    });
    await hello();
    const counts = [center.backgroundHookCount];
    first.open();
    while (center.backgroundHookCount === 2) await new Promise(setImmediate);
    counts.push(center.backgroundHookCount);
    second.open();
    await center.waitForBackgroundHooks();
    expect([...counts, center.backgroundHookCount]).toEqual([2, 1, 0]);
  });

  test("a graceful shutdown waits for all of them, also for those that start in the meantime", async () => {
    const { center, hello } = centerWith(lists);
    const ended: string[] = [];
    let runs = 0;
    center.registerPreHook({ name: "slow", blocking: false }, async () => {
      const session = center.createSession("assistant");
      if (++runs === 1) await center.runAgent({ session, message: "Hello again!" });
      ended.push("pre");
    });
    center.registerPostHook({ name: "slow", blocking: false }, () => void ended.push("post"));
    await hello();
    expect(await center.waitForBackgroundHooks()).toBe(true);
    expect(ended.toSorted()).toEqual(["post", "post", "pre", "pre"]);
  });

  test("a graceful shutdown waits no longer than its timeout", async () => {
    const { center, hello } = centerWith({ preHookNames: ["slow"] });
    const { opened, open } = gate();
    center.registerPreHook({ name: "slow", blocking: false }, () => opened);
    await hello();
    expect(await center.waitForBackgroundHooks({ timeoutMs: 1 })).toBe(false);
    open();
    expect(await center.waitForBackgroundHooks({ timeoutMs: Number.POSITIVE_INFINITY })).toBe(true);
  });

  test("cancellation aborts their signals, and they are no longer waited for", async () => {
    const reported: string[] = [];
    const { center, hello } = centerWith(
      { preHookNames: ["slow"] },
      { report: ({ code }) => reported.push(code) },
    );
    let began = () => {};
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    const aborted = new Promise<unknown>((resolve) => {
      center.registerPreHook({ name: "slow", blocking: false }, ({ signal }) => {
        signal.addEventListener("abort", () => resolve(signal.reason));
        began();
        return new Promise(() => {});
      });
    });
    await hello();
    await hasBegun;
    center.cancelBackgroundHooks("shutting down");
    expect(await aborted).toMatchObject({ code: "hook_cancelled", message: /shutting down/ });
    expect(await center.waitForBackgroundHooks()).toBe(true);
    expect([center.backgroundHookCount, reported]).toEqual([0, ["hook_cancelled"]]);
  });
});
