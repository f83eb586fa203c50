import type { TenterhookError } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../run/agent-event.ts";
import { type Script, scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";

const assistant = {
  id: "assistant",
  name: "Assistant",
  description: "",
  modelName: "gpt-4",
  instructions: "",
};
const callEcho = { toolCalls: [{ name: "echo", input: { text: "hi", list: [1] } }] };

function centerWith(script: Script, more: object) {
  const reported: TenterhookError[] = [];
  const center = createAgentCenter({ report: (failure) => reported.push(failure) });
  center.registerModel("gpt-4", scriptedModel(script));
  center.registerTool("echo", {
    inputSchema: { type: "object" },
    execute: ({ text }: { text: string }) => text,
  });
  center.registerAgent({ ...assistant, toolNames: ["echo"], ...more });
  return { center, reported, session: center.createSession("assistant") };
}

describe("stream hooks", () => {
  test("see every event of streamAgent, in the order of the list and before its reader", async () => {
    const { center, session } = centerWith([callEcho, "Hi there!"], { streamHookNames: ["b", "a"] });
    const seen: string[] = [];
    center.registerStreamHook({ name: "a" }, (_context, event) => void seen.push(`a ${event.type}`));
    center.registerStreamHook({ name: "b" }, (_context, event) => void seen.push(`b ${event.type}`));
    const read: string[] = [];
    for await (const event of await center.streamAgent({ session, message: "Hello!" })) {
      read.push(event.type);
      expect(seen.at(2 * read.length - 1)).toBe(`a ${event.type}`);
    }
    expect(seen).toEqual(read.flatMap((type) => [`b ${type}`, `a ${type}`]));
    expect(read).toContain("text_delta");
    expect(read.at(-1)).toBe("run_end");
  });

  test("see every event of runAgent, with the context of the run", async () => {
    const { center, session } = centerWith([callEcho, "Hi there!"], { streamHookNames: ["a"] });
    const seen: AgentEvent[] = [];
    center.registerStreamHook({ name: "a" }, (context, event) => {
      seen.push(event);
      expect(context).toMatchObject({ agent: center.agent("assistant"), session, userMessage: "Hello!" });
      expect(context.metadata.traceId).toBe("t-1");
    });
    const metadata = { traceId: "t-1" };
    const run = await center.runAgent({ session, message: "Hello!", metadata });
    expect(run.output).toBe("Hi there!");
    const types = seen.map(({ type }) => type);
    expect(types).toEqual([
      "run_start",
      "step_start",
      "answer",
      "tool_start",
      "tool_end",
      "step_end",
      "step_start",
      "text_delta",
      "text_delta",
      "answer",
      "step_end",
      "run_end",
    ]);
    expect(seen.at(-1)).toMatchObject({ run: { output: "Hi there!", duration: run.duration } });
  });

  test("cannot change anything: they see frozen copies, and what they return means nothing", async () => {
    const { center, session, reported } = centerWith([callEcho, "Hi!"], { streamHookNames: ["vandal", "a"] });
    const inputs: unknown[] = [];
    center.registerStreamHook({ name: "vandal" }, (_context, event) => {
      if (event.type !== "tool_start") return { type: "block", reason: "no" } as never;
      (event.toolInput.list as number[]).push(2);
    });
    center.registerStreamHook({ name: "a" }, (_context, event) => {
      if (event.type === "tool_start") inputs.push(event.toolInput);
    });
    const run = await center.runAgent({ session, message: "Hello!" });
    expect(run.status).toBe("completed");
    expect(inputs).toEqual([{ text: "hi", list: [1] }]);
    expect(reported).toMatchObject([{ hook: "vandal", message: /not extensible/ }]);
  });

  test("that fail, at once or later, are reported and affect nothing, not even each other", async () => {
    const { center, session, reported } = centerWith(["Hi!"], {
      streamHookNames: ["throws", "rejects", "a"],
    });
    let seen = 0;
    center.registerStreamHook({ name: "throws" }, (_context, { type }) => {
      if (type === "run_start") throw new Error("at once");
    });
    center.registerStreamHook({ name: "rejects" }, async (_context, { type }) => {
      if (type === "run_start") throw new Error("later");
    });
    center.registerStreamHook({ name: "a" }, () => void seen++);
    expect((await center.runAgent({ session, message: "Hello!" })).status).toBe("completed");
    expect(seen).toBeGreaterThan(4);
    expect(reported.map(({ hook, message }) => [hook, message.match(/at once|later/)?.[0]])).toEqual([
      ["throws", "at once"],
      ["rejects", "later"],
    ]);
  });

  test("that still run are background hooks: counted, waited for, and cancelled", async () => {
    const { center, session } = centerWith(["Hi!", "Hi!"], { streamHookNames: ["slow"] });
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const ended: string[] = [];
    center.registerStreamHook({ name: "slow" }, async (_context, { type }) => {
      if (type !== "run_end") return;
      await opened;
      ended.push(type);
    });
    await center.runAgent({ session, message: "Hello!" });
    expect(center.backgroundHookCount).toBe(1);
    expect(await center.waitForBackgroundHooks({ timeoutMs: 1 })).toBe(false);
    center.cancelBackgroundHooks();
    expect(center.backgroundHookCount).toBe(0);
    await center.runAgent({ session, message: "Hello!" });
    open();
    expect(await center.waitForBackgroundHooks()).toBe(true);
    expect(ended).toHaveLength(2);
  });

  test("do not hide what a blocking hook threw", async () => {
    const { center, session } = centerWith([], { streamHookNames: ["a"], preHookNames: ["guard"] });
    const seen: unknown[] = [];
    const invalid = new Error("invalid");
    center.registerPreHook({ name: "guard" }, () => Promise.reject(invalid));
    center.registerStreamHook({ name: "a" }, (_context, event) => {
      if (event.type === "run_end") seen.push(event.run.error);
    });
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toBe(invalid);
    expect(seen).toEqual([invalid]);
  });

  test("do not hide what a blocking hook threw either if that is not an error", async () => {
    const { center, session } = centerWith([], { streamHookNames: ["a"], preHookNames: ["guard"] });
    center.registerPreHook({ name: "guard" }, () => Promise.reject("invalid"));
    center.registerStreamHook({ name: "a" }, () => undefined);
    await expect(center.runAgent({ session, message: "Hello!" })).rejects.toBe("invalid");
  });

  test("are functions with a name of their own", () => {
    const { center } = centerWith([], {});
    center.registerStreamHook({ name: "a" }, () => undefined);
    expect(() => center.registerStreamHook({ name: "a" }, () => undefined)).toThrow(
      /"a" is registered already/,
    );
    expect(() => center.registerStreamHook({ name: "b" }, 5 as never)).toThrow(/must be a function/);
  });
});
