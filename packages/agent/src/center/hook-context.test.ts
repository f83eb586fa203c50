import type { Payload } from "@tenterhook/protocol";
import { toWire } from "@tenterhook/protocol/internal";
import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";
import type { HookContext, HookedRun } from "./hook-context.ts";

const assistant = {
  id: "assistant",
  name: "Assistant",
  description: "Helpful assistant",
  modelName: "gpt-4",
  instructions: "You are a helpful assistant",
};

function centerWith(script: Script, lists: object) {
  const center = createAgentCenter();
  center.registerModel("gpt-4", scriptedModel(script));
  center.registerAgent({ ...assistant, ...lists });
  return center;
}

describe("the context of a hook", () => {
  test("has the agent's whole configuration, the session as it was made, and the message", async () => {
    const center = centerWith(["Hi!"], { preHookNames: ["a"], postHookNames: ["a", "b"] });
    const seen: HookContext[] = [];
    center.registerPreHook({ name: "a" }, (context) => void seen.push(context));
    center.registerPostHook({ name: "a" }, (context) => void seen.push(context));
    center.registerPostHook({ name: "b", blocking: false }, (context) => void seen.push(context));
    const session = center.createSession("assistant", { userId: "ada", metadata: { plan: "pro" } });
    await center.runAgent({ session, message: "Hello!" });
    await center.waitForBackgroundHooks();
    expect(seen).toHaveLength(3);
    for (const context of seen) {
      expect(context.agent).toBe(center.agent("assistant"));
      expect(context.session).toBe(session);
      expect(context.userMessage).toBe("Hello!");
      expect(context.signal.aborted).toBe(false);
    }
    expect(session).toMatchObject({ agentId: "assistant", userId: "ada", metadata: { plan: "pro" } });
  });

  test("has the session of its own run, also while others run, and after the run has ended", async () => {
    const script: Script = [async () => "Hi!", async () => "Hi!"];
    const center = centerWith(script, { preHookNames: ["a", "b"] });
    const seen: string[] = [];
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const note = ({ session, userMessage }: HookContext) =>
      void seen.push(`${userMessage} of ${session.userId}`);
    center.registerPreHook({ name: "a" }, async (context) => {
      await new Promise(setImmediate);
      note(context);
    });
    center.registerPreHook({ name: "b", blocking: false }, async (context) => {
      await opened;
      note(context);
    });
    const say = (userId: string) =>
      center.runAgent({ session: center.createSession("assistant", { userId }), message: "message" });
    await Promise.all([say("ada"), say("grace")]);
    open();
    await center.waitForBackgroundHooks();
    expect(seen).toEqual(["message of ada", "message of grace", "message of ada", "message of grace"]);
  });

  test("has the agent that a task was delegated to, in the session of the run", async () => {
    const center = centerWith(
      [{ toolCalls: [{ name: "Researcher", input: { task: "look it up" } }] }, "Found it.", "Done."],
      { subagents: ["researcher"] },
    );
    const seen: unknown[] = [];
    center.registerAgent({ ...assistant, id: "researcher", name: "Researcher", preHookNames: ["a"] });
    center.registerPreHook({ name: "a" }, ({ agent, session, userMessage }) => {
      seen.push(agent.id, session, userMessage);
    });
    const session = center.createSession("assistant");
    expect((await center.runAgent({ session, message: "Hello!" })).output).toBe("Done.");
    expect(seen).toEqual(["researcher", session, "look it up"]);
  });
});

describe("the run that a post-hook is given", () => {
  const lists = { postHookNames: ["blocking", "other"], toolNames: ["add"] };
  const script: Script = [{ toolCalls: [{ id: "c1", name: "add", input: {} }] }, "3"];

  function watched(script: Script, when: "completed" | "always" = "completed") {
    const center = centerWith(script, lists);
    center.registerTool("add", { inputSchema: { type: "object" }, execute: () => 3 });
    const seen: HookedRun[] = [];
    center.registerPostHook({ name: "blocking", when }, (_, run) => void seen.push(run));
    center.registerPostHook({ name: "other", when, blocking: false }, (_, run) => void seen.push(run));
    return { center, seen };
  }

  test("is the one that runAgent returns: messages, text, stop reason, session, usage, times", async () => {
    const { center, seen } = watched(script);
    const session = center.createSession("assistant");
    const run = await center.runAgent({ session, message: "1+2?" });
    await center.waitForBackgroundHooks();
    expect(seen).toEqual([run, run]);
    expect(run).toMatchObject({
      sessionId: session.sessionId,
      status: "completed",
      stopReason: "no_tool_calls",
      text: "3",
      output: "3",
      stepCount: 2,
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
    expect(run.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(run.duration).toBe(run.durationMs / 1_000);
    expect(Date.parse(run.endedAt) - Date.parse(run.startedAt)).toBeCloseTo(run.durationMs, -1);
  });

  test("is the one that streamAgent finishes as", async () => {
    const { center, seen } = watched(script);
    const stream = await center.streamAgent({ session: center.createSession("assistant"), message: "1+2?" });
    const run = await stream.finished;
    await center.waitForBackgroundHooks();
    expect(seen).toEqual([run, run]);
  });

  test("has the error of a run that failed, as it was thrown", async () => {
    const { center, seen } = watched([{ error: new Error("no model") }], "always");
    const session = center.createSession("assistant");
    const thrown = await center.runAgent({ session, message: "Hi" }).catch((error: unknown) => error);
    await center.waitForBackgroundHooks();
    expect(seen[0]).toMatchObject({ status: "failed", stopReason: "error" });
    expect([seen[0]?.error, seen[1]?.error?.message]).toEqual([thrown, "no model"]);
  });

  test("cannot be changed by a hook that does not block", async () => {
    const center = centerWith(["Hi!"], { postHookNames: ["b"] });
    const refused: unknown[] = [];
    center.registerPostHook({ name: "b", blocking: false }, (_, run) => {
      const messages = run.messages as unknown[];
      for (const change of [() => messages.push("x"), () => Object.assign(run, { text: "x" })]) {
        try {
          change();
        } catch (error) {
          refused.push(error);
        }
      }
    });
    const run = await center.runAgent({ session: center.createSession("assistant"), message: "Hello!" });
    await center.waitForBackgroundHooks();
    expect([refused.length, run.messages.length, run.text]).toEqual([2, 2, "Hi!"]);
  });

  test("is sent to scripts without the conversation", async () => {
    const center = centerWith(["Hi!"], {});
    const sent: unknown[] = [];
    center.hooks.on("after_agent", ({ payload }) => {
      sent.push(JSON.parse(JSON.stringify(toWire("after_agent", payload as Payload<"after_agent">).run)));
    });
    const run = await center.runAgent({ session: center.createSession("assistant"), message: "Hello!" });
    const { id, status, durationMs: duration_ms, usage } = run;
    const wired = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
    expect(sent).toEqual([{ id, status, duration_ms, step_count: 1, usage: wired, output: "Hi!" }]);
  });
});

describe("metadata", () => {
  const lists = { preHookNames: ["a", "b"], postHookNames: ["c", "d"] };

  test("passes data between the hooks of a run, from the first pre-hook to the last post-hook", async () => {
    const center = centerWith(["Hi!"], lists);
    const seen: unknown[] = [];
    center.registerPreHook({ name: "a" }, ({ metadata }) => void (metadata.traceId = "t-1"));
    center.registerPreHook({ name: "b", blocking: false }, ({ metadata }) => void seen.push({ ...metadata }));
    center.registerPostHook({ name: "c" }, ({ metadata }) => void (metadata.cost = 5));
    center.registerPostHook(
      { name: "d", blocking: false },
      ({ metadata }) => void seen.push({ ...metadata }),
    );
    await center.runAgent({ session: center.createSession("assistant"), message: "Hello!" });
    await center.waitForBackgroundHooks();
    expect(seen).toEqual([{ traceId: "t-1" }, { traceId: "t-1", cost: 5 }]);
  });

  test("is the caller's object, or a new one for each run", async () => {
    const center = centerWith(["Hi!", "Hi!", "Hi!"], { preHookNames: ["a"] });
    const seen: unknown[] = [];
    center.registerPreHook({ name: "a" }, ({ metadata }) => {
      seen.push({ ...metadata });
      metadata.count = Number(metadata.count ?? 0) + 1;
    });
    const session = center.createSession("assistant");
    const metadata = { count: 5 };
    await center.runAgent({ session, message: "Hello!", metadata });
    await center.runAgent({ session, message: "Hello!" });
    await center.runAgent({ session, message: "Hello!" });
    expect(seen).toEqual([{ count: 5 }, {}, {}]);
    expect(metadata).toEqual({ count: 6 });
  });

  test("is shared with every other hook of the center", async () => {
    const center = centerWith(["Hi!"], { postHookNames: ["c"] });
    let seen: unknown;
    center.hooks.on("before_llm", (ctx) => void (ctx.metadata.model = ctx.model));
    center.registerPostHook({ name: "c" }, ({ metadata }) => void (seen = metadata.model));
    await center.runAgent({ session: center.createSession("assistant"), message: "Hello!" });
    expect(seen).toBe("gpt-4");
  });
});
