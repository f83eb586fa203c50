import { createAgent } from "@tenterhook/agent";
import {
  CallableHook,
  type HookContext,
  HookEvent,
  HookOutcome,
  type ToolHookContext,
} from "@tenterhook/agent/builder";
import { scriptedModel } from "@tenterhook/agent/testing";
import { createHooks, proceed } from "@tenterhook/engine";
import { type ConfigHook, ConfigHooks } from "@tenterhook/engine/config";
import { describe, expect, test } from "vitest";
import { RateLimiter, RateLimitHook } from "./rate-limit-hook.ts";
import { bash, scriptedBuilder } from "./scripted-builder.ts";

const rewrite = (ctx: ToolHookContext) => {
  const call = ctx.toolCall();
  return call.withArgs({ command: `${call.args().command} -la` });
};
const EXCEEDED = { type: "execution-denied", reason: "Rate limit exceeded" };

describe(`"if (!$this->limiter->check($this->maxCallsPerMinute)) { return HookOutcome::block('Rate limit exceeded'); }"`, () => {
  test("the limiter admits the call that a hook behind it changes, and refuses the next", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("ls"), bash("pwd"), "done"]);
    await builder
      .addHook(HookEvent.PreToolUse, new RateLimitHook(new RateLimiter(), 1), { priority: 100 })
      .onBeforeToolUse(rewrite)
      .build()
      .run("Go");
    expect(ran).toEqual(["ls -la"]);
    expect(outputs().at(-1)).toEqual(EXCEEDED);
  });

  test("explain names it, because a hook behind it may change the call", () => {
    const { builder } = scriptedBuilder([]);
    const { hooks } = builder
      .addHook(HookEvent.PreToolUse, new RateLimitHook(new RateLimiter(), 1), { priority: 100 })
      .onBeforeToolUse(rewrite, { rejudge: true })
      .build();
    const explained = hooks.explain("before_tool", { toolName: "bash", toolInput: { command: "ls" } }).hooks;
    expect(explained.map(({ hook, calledOnceBefore }) => [hook.name, calledOnceBefore])).toEqual([
      ["RateLimitHook", ["rewrite"]],
      ["rewrite", undefined],
    ]);
  });

  test("it admits parallel calls up to its limit, each of them changed", async () => {
    const { builder, ran, outputs } = scriptedBuilder([bash("a", "b", "c"), "done"]);
    await builder
      .addHook(HookEvent.PreToolUse, new RateLimitHook(new RateLimiter(), 2), { priority: 100 })
      .onBeforeToolUse(async (ctx) => rewrite(ctx))
      .build()
      .run("Go");
    expect(ran.toSorted()).toEqual(["a -la", "b -la"]);
    expect(outputs().at(-1)).toEqual(EXCEEDED);
  });

  test("it counts once where hooks before, behind and around it change the call", async () => {
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    const around = new CallableHook(async (context: ToolHookContext, next) => {
      await next(context.withToolCall(rewrite(context)));
      return HookOutcome.proceed(context.withToolCall(context.toolCall().withArgs({ command: "last" })));
    });
    await builder
      .onBeforeToolUse(rewrite, { priority: 300 })
      .addHook(HookEvent.PreToolUse, around, { priority: 200 })
      .addHook(HookEvent.PreToolUse, new RateLimitHook(new RateLimiter(), 1), { priority: 100 })
      .onBeforeToolUse(rewrite)
      .onBeforeToolUse(async (ctx) => rewrite(ctx))
      .build()
      .run("Go");
    expect(ran).toEqual(["last"]);
  });
});

describe('"Hook called before tool execution (after permissions and guardrails). Can be used for: […] Rate limiting"', () => {
  const limit = (most: number): ConfigHook<"beforeTool"> => {
    let calls = 0;
    return () => {
      if (calls >= most) throw new Error("Rate limit exceeded");
      calls++;
    };
  };
  const lengthen: ConfigHook<"beforeTool"> = ({ input }) => ({ input: { command: `${input.command} -la` } });

  test.each([
    ["at once", lengthen],
    ["later", async (context: Parameters<typeof lengthen>[0]) => lengthen(context)],
  ])("a limiter in beforeTool admits the call that a hook behind it changes %s", async (_, changing) => {
    const ran: unknown[] = [];
    const agent = createAgent({
      model: scriptedModel([bash("ls"), bash("pwd"), "done"]),
      tools: {
        bash: { inputSchema: { type: "object" }, execute: ({ command }) => void ran.push(command) },
      },
      hooks: { beforeTool: [limit(1), changing] },
    });
    const run = await agent.run("Go");
    expect(ran).toEqual(["ls -la"]);
    expect(JSON.stringify(run.acts)).toContain("Rate limit exceeded");
  });
});

describe("a hook of the builder or of a HooksConfig that sets rejudge: true", () => {
  const isSafe = (ctx: ToolHookContext) =>
    String(ctx.toolCall().args().command).startsWith("rm") ? HookOutcome.block("destructive") : undefined;
  const destroy = (ctx: ToolHookContext) => ctx.toolCall().withArgs({ command: "rm -rf /" });

  test("is called again about what a later hook changed; without it the change passes", async () => {
    const run = async (options: { rejudge?: boolean }) => {
      const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
      builder.onBeforeToolUse(isSafe, { priority: 100, ...options });
      await builder.onBeforeToolUse(destroy).build().run("Go");
      return ran;
    };
    expect([await run({ rejudge: true }), await run({})]).toEqual([[], ["rm -rf /"]]);
  });

  test("stands beside others that are called once, whichever way each was registered", async () => {
    const seen: string[] = [];
    const note = (name: string) => (judging: boolean | undefined) =>
      void seen.push(judging ? `${name} again` : name);
    const shared = createHooks();
    shared.on("before_tool", (ctx) => note("on")(ctx.judging), { priority: 5 });
    shared.on("before_tool", (ctx) => note("on, once")(ctx.judging), { priority: 4, rejudge: false });
    const config = new ConfigHooks(shared);
    config.register("beforeTool", (ctx) => note("config")(ctx.judging), { priority: -3 });
    config.register("beforeTool", (ctx) => note("config, twice")(ctx.judging), {
      priority: -2,
      rejudge: true,
    });
    const { builder, ran } = scriptedBuilder([bash("ls"), "done"]);
    const judging = (ctx: HookContext) => ctx.engineContext()?.judging;
    const agent = builder
      .with({ hooks: shared })
      .onBeforeToolUse((ctx) => note("builder")(judging(ctx)), { priority: 1 })
      .onBeforeToolUse((ctx) => note("builder, twice")(judging(ctx)), { priority: 1, rejudge: true })
      .addHook(
        HookEvent.PreToolUse,
        {
          handle: (context, next) => {
            note("around")(judging(context));
            return next(context);
          },
        },
        { priority: 1 },
      )
      .build();
    agent.hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
    await agent.run("Go");
    const first = ["on", "on, once", "config", "config, twice", "builder", "builder, twice", "around"];
    expect(seen).toEqual([...first, "on again", "config, twice again", "builder, twice again"]);
    expect(ran).toEqual(["pwd"]);
  });
});
