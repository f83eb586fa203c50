// Checked by the compiler: every line that must not compile is marked, and the build fails when one does.
import { ask, recover, skip } from "@tenterhook/protocol";
import { expectTypeOf } from "vitest";
import { AgentBuilder } from "./agent-builder.ts";
import { CallableHook } from "./callable-hook.ts";
import type {
  ExecutionHookContext,
  FailureHookContext,
  HookContext,
  StopHookContext,
  ToolHookContext,
} from "./contexts.ts";
import type { AgentState } from "./data/agent-state.ts";
import type { Hook, HookNext } from "./hook.ts";
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
// @ts-expect-error nor is a context an answer: proceed with it
builder.onExecutionStart((ctx) => ctx);

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
