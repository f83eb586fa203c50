// Checked by the compiler: every line that must not compile is marked, and the build fails when one does.
import { ask, recover, skip } from "@tenterhook/protocol";
import { expectTypeOf } from "vitest";
import { AgentBuilder } from "./agent-builder.ts";
import type {
  ExecutionHookContext,
  FailureHookContext,
  HookContext,
  StopHookContext,
  ToolHookContext,
} from "./contexts.ts";
import type { AgentState } from "./data.ts";
import type { Hook, HookNext } from "./hook.ts";
import { AfterToolHook, BeforeStepHook, BeforeToolHook, CallableHook } from "./hook.ts";
import { HookEvent } from "./hook-event.ts";
import { HookOutcome } from "./hook-outcome.ts";

const builder = AgentBuilder.new();

// The method determines the parameter of its callback, however the callback is passed.
builder.onBeforeToolUse((ctx) => expectTypeOf(ctx).toEqualTypeOf<ToolHookContext>() as never);
builder.onBeforeToolUse({ callback: (ctx) => void expectTypeOf(ctx).toEqualTypeOf<ToolHookContext>() });
builder.onBeforeStep((state) => void expectTypeOf(state).toEqualTypeOf<AgentState>());
builder.onExecutionEnd((ctx) => void expectTypeOf(ctx).toEqualTypeOf<ExecutionHookContext>());
builder.onSubagentStop((ctx) => void expectTypeOf(ctx).toEqualTypeOf<StopHookContext>());
builder.onAgentFailed((ctx) => void expectTypeOf(ctx).toEqualTypeOf<FailureHookContext>());

// What may be returned depends on the event.
builder.onBeforeToolUse(() => null);
builder.onBeforeToolUse((ctx) => ctx.toolCall());
builder.onBeforeToolUse(() => skip("cached"));
builder.onBeforeToolUse(async () => ask("sure?"));
builder.onAfterToolUse((ctx) => ctx.execution());
builder.onAfterToolUse(() => recover("instead"));
builder.onBeforeStep((state) => state.withMetadata("a", 1));
builder.onStop(async () => HookOutcome.block("not yet"));
builder.onAgentFailed(() => {});
// @ts-expect-error null blocks only before a tool
builder.onAfterToolUse(() => null);
// @ts-expect-error a state is returned by step hooks
builder.onStop((ctx) => ctx.state());
// @ts-expect-error a call is over then
builder.onAfterToolUse((ctx) => ctx.toolCall());
// @ts-expect-error a stop cannot be skipped
builder.onStop(() => skip());
builder.onExecutionStart((ctx) => ctx);
builder.onStop(async (ctx) => ctx.withMetadata("a", 1));
// @ts-expect-error nor is the context of another event an answer
builder.onStop((ctx) => ctx as unknown as ExecutionHookContext);

// What follows a callback: options, or priority and matcher.
builder.onBeforeToolUse(() => null, 100, "bash");
builder.onBeforeToolUse(
  () => null,
  undefined,
  (ctx) => ctx.state().stepCount() < 5,
);
builder.onBeforeToolUse((ctx) => ctx.toolCall(), { priority: 100, matcher: "bash" });
// @ts-expect-error a step has no tool
builder.onBeforeStep(() => undefined, 100, "bash");
// @ts-expect-error nor has an execution
builder.onExecutionStart({ callback: () => undefined, matcher: { tool: "bash" } });
builder.onStop(() => undefined, { matcher: () => true });
// @ts-expect-error a matcher is the third argument
builder.onBeforeToolUse(() => null, "bash");
// @ts-expect-error it is one of the options, or follows a priority
builder.onBeforeToolUse(() => null, { priority: 100 }, "bash");

// The classes of the events take what their methods take.
new BeforeToolHook(() => null, "bash");
new BeforeToolHook((ctx) => ctx.toolCall());
new AfterToolHook((ctx) => ctx.execution());
new BeforeStepHook((ctx) => ctx.state());
// @ts-expect-error null blocks only before a tool
new AfterToolHook(() => null);
// @ts-expect-error a state is returned by step hooks
new BeforeToolHook((ctx) => ctx.state());

// A hook object is given the context of its event.
class OnTools implements Hook<ToolHookContext> {
  handle(context: ToolHookContext, next: HookNext) {
    return next(context);
  }
}
class Anywhere implements Hook {
  handle(context: HookContext, next: HookNext) {
    return next(context);
  }
}
builder.addHook(HookEvent.PreToolUse, new OnTools(), { priority: 100 });
builder.addHook(HookEvent.PreToolUse, new OnTools(), 100);
builder.addHook({ event: HookEvent.PreToolUse, hook: new OnTools(), priority: 100 });
// @ts-expect-error a priority is a number
builder.addHook(HookEvent.PreToolUse, new OnTools(), "100");
// @ts-expect-error a hook on tools is not given other contexts
builder.addHook({ event: HookEvent.Stop, hook: new OnTools() });
builder.addHook([HookEvent.PreToolUse, HookEvent.Stop], new Anywhere());
builder.addHook(
  HookEvent.ExecutionStart,
  new CallableHook((ctx: ExecutionHookContext) => void ctx.isStart()),
);
builder.addHook(HookEvent.Stop, new CallableHook((ctx) => void ctx.continuationOutcome()));
// @ts-expect-error a class that handles must say how it ends
builder.addHook(HookEvent.PreToolUse, { handle: () => undefined });
// @ts-expect-error there is no such event
builder.addHook("BeforeLunch", new Anywhere());

// The default determines the type of a value.
builder.onStop((ctx) => {
  expectTypeOf(ctx.get("tasks")).toEqualTypeOf<unknown>();
  expectTypeOf(ctx.get("quality", 1)).toEqualTypeOf<number>();
  expectTypeOf(ctx.withMetadata("a", 1)).toEqualTypeOf<StopHookContext>();
});
