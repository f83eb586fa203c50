import { block, proceed, skip } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { AgentBuilder } from "./agent-builder.ts";
import { ExecutionHookContext, type HookContext, ToolHookContext } from "./contexts.ts";
import { AgentState, ToolCall } from "./data.ts";
import type { Hook, HookNext } from "./hook.ts";
import { BeforeToolHook, CallableHook, HookStack } from "./hook.ts";
import { HookEvent } from "./hook-event.ts";
import { HookOutcome } from "./hook-outcome.ts";
import { ToolNameMatcher } from "./matchers.ts";

const state = new AgentState({ agentId: "agent-7" });
const start = ExecutionHookContext.onStart(state);
const terminal: HookNext = (ctx) => HookOutcome.proceed(ctx);

class Noting implements Hook {
  handle(context: HookContext, next: HookNext) {
    const order = context.get<readonly string[]>("order", []);
    return next(context.withMetadata("order", [...order, this.constructor.name]));
  }
}
class SecurityHook extends Noting {}
class LoggingHook extends Noting {}
class MetricsHook extends Noting {}

describe("a hook stack", () => {
  test("runs hooks by priority to the terminal, and the outcome has the context that arrived there", async () => {
    const stack = new HookStack()
      .with(new SecurityHook(), { priority: 100 })
      .with(new LoggingHook(), { priority: -100 })
      .with(new MetricsHook());
    const outcome = await stack.process(start, terminal);
    expect([outcome.isBlocked(), outcome.isStopped(), outcome.isProceed()]).toEqual([false, false, true]);
    expect(outcome.context()?.get("order")).toEqual(["SecurityHook", "MetricsHook", "LoggingHook"]);
    expect([stack.count(), start.get("order")]).toEqual([3, undefined]);
  });

  test.each([
    [HookOutcome.block("not you"), [true, false]],
    [HookOutcome.stop("no more"), [false, true]],
  ])("ends with a hook that refuses, before those behind it", async (refusal, expected) => {
    const stack = new HookStack()
      .with({ handle: () => refusal }, { priority: 100 })
      .with(new LoggingHook(), { priority: -100 });
    const outcome = await stack.process(start, () => {
      throw new Error("the terminal was reached");
    });
    expect([outcome.isBlocked(), outcome.isStopped()]).toEqual(expected);
    expect(outcome.reason()).toBe(refusal.reason());
  });

  // "For advanced scenarios, use HookStack directly"
  test("can be asked for its hooks, and takes several at once", () => {
    const stack = new HookStack().withAll([
      { hook: new LoggingHook(), priority: -100 },
      new MetricsHook(),
      { hook: new SecurityHook(), priority: 100 },
      new MetricsHook(),
    ]);
    expect([stack.isEmpty(), stack.count()]).toEqual([false, 4]);
    expect(stack.getHookIds()).toEqual(["SecurityHook", "MetricsHook", "MetricsHook 2", "LoggingHook"]);
    expect([new HookStack().isEmpty(), new HookStack().count()]).toEqual([true, 0]);
  });

  test("answers synchronously when every hook does", () => {
    expect(new HookStack().with(new MetricsHook()).process(start, terminal)).toBeInstanceOf(HookOutcome);
  });

  test("is a value, and refuses a second call of next", () => {
    const empty = new HookStack();
    const greedy = empty.with({
      handle(context, next) {
        void next(context);
        return next(context);
      },
    });
    expect([empty.count(), greedy.count()]).toEqual([0, 1]);
    expect(() => greedy.process(start, terminal)).toThrow(/more than once/);
  });
});

describe("a callable hook in a stack", () => {
  const through = async (hook: Hook, context: HookContext = start) =>
    new HookStack().with(hook).process(context, terminal);

  test("that returns nothing, or proceeds, lets the others run", async () => {
    expect((await through(new CallableHook(() => {}))).context()).toBe(start);
    expect((await through(new CallableHook(async () => HookOutcome.proceed()))).context()).toBe(start);
    const changing = new CallableHook((ctx) => HookOutcome.proceed(ctx.withMetadata("a", 1)));
    expect((await through(changing)).context()?.get("a")).toBe(1);
  });

  test("may wrap the others, which run once", async () => {
    const wrapping = new CallableHook(async (context, next) => {
      const outcome = await next(context.withMetadata("wrapped", true));
      return outcome.isProceed() ? outcome : HookOutcome.stop("no more");
    });
    expect((await through(wrapping)).context()?.get("wrapped")).toBe(true);
  });

  test("that called next and returns nothing keeps the inner outcome", async () => {
    const stack = new HookStack()
      .with(new CallableHook((context, next) => void next(context)))
      .with({ handle: () => HookOutcome.block("no") });
    expect((await stack.process(start, terminal)).isBlocked()).toBe(true);
  });

  test("may answer with the engine's outcomes, and with nothing else", async () => {
    expect((await through(new CallableHook(() => block("no")))).isBlocked()).toBe(true);
    expect((await through(new CallableHook(() => proceed()))).isProceed()).toBe(true);
    expect((await through(new CallableHook(() => skip(1)))).type()).toBe("skip");
    await expect(through(new CallableHook(() => 42 as never))).rejects.toThrow(/not an outcome: 42/);
    await expect(through(new CallableHook(() => null as never))).rejects.toThrow(/not an outcome: null/);
  });

  test("is only called for what its matcher matches", async () => {
    const guard = new CallableHook(() => HookOutcome.block("no shell"), new ToolNameMatcher("bash"));
    const tool = (name: string) => ToolHookContext.beforeTool(new ToolCall(name), state);
    expect((await through(guard, tool("bash"))).isBlocked()).toBe(true);
    expect((await through(guard, tool("read_file"))).isBlocked()).toBe(false);
    expect((await through(guard, start)).isBlocked()).toBe(false);
  });

  test("rejects anything but a function", () => {
    expect(() => new CallableHook("bash" as never)).toThrow(/takes a function, not bash/);
  });

  test("of an event's own class ignores contexts of other events", async () => {
    const guard = new BeforeToolHook((ctx) => HookOutcome.block(ctx.toolCall().name()), "bash");
    const call = ToolHookContext.beforeTool(new ToolCall("bash"), state);
    expect((await through(guard, call)).reason()).toBe("bash");
    expect((await through(guard, start)).isBlocked()).toBe(false);
    expect(() => AgentBuilder.new().addHook(HookEvent.Stop, guard as never)).toThrow(
      /would never run on Stop.*It is for PreToolUse/,
    );
  });
});
