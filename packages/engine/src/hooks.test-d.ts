// Checked by the compiler: every line that must not compile is marked, and the build fails when one does.
import { ask, block, type Message, type OutcomeOf, proceed, recover, skip, stop } from "@tenterhook/protocol";
import { expectTypeOf } from "vitest";
import { createHooks } from "./hooks.ts";
import { mayChangeAnswer } from "./host/index.ts";
import { allOf, anyOf, eventType, inputPattern, not, predicate, toolName } from "./match/matcher.ts";

const hooks = createHooks();

// The context of an event has its fields, and only those.
hooks.on("before_tool", (ctx) => {
  expectTypeOf(ctx.event).toEqualTypeOf<"before_tool">();
  expectTypeOf(ctx.toolName).toEqualTypeOf<string>();
  expectTypeOf(ctx.toolInput).toEqualTypeOf<{ readonly [x: string]: unknown }>();
  expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
  // @ts-expect-error a tool event has no answer of the model
  ctx.text;
  // @ts-expect-error contexts are read-only
  ctx.toolName = "Other";
  // @ts-expect-error and so is what is in them
  ctx.toolInput.command = "ls";
});
hooks.on("after_llm", (ctx) => {
  expectTypeOf(ctx.text).toEqualTypeOf<string>();
  // @ts-expect-error no tool here
  ctx.toolInput;
});

// Outcomes that the event has compile, others do not.
hooks.on("before_tool", () => block("no"));
hooks.on("before_tool", () => stop("enough"));
hooks.on("before_tool", () => skip({ any: "result" }));
hooks.on("before_tool", async () => ask("sure?"));
hooks.on("after_tool_failure", () => recover("instead"));
// @ts-expect-error nothing to recover from
hooks.on("before_tool", () => recover());
// @ts-expect-error a stop cannot be skipped
hooks.on("before_stop", () => skip());
// @ts-expect-error a model call has no ask
hooks.on("before_llm", () => ask("sure?"));
// @ts-expect-error null is not an answer
hooks.on("before_tool", () => null);
// @ts-expect-error nor is a patch by itself
hooks.on("before_tool", () => ({ toolInput: {} }));

// Patches are those of the event.
hooks.on("before_tool", ({ toolInput }) => proceed({ toolInput: { ...toolInput, dry: true } }));
hooks.on("before_llm", ({ messages }) => proceed({ messages: [...messages, message], model: "small" }));
hooks.on("before_tool", () => proceed(undefined, { context: "by the way" }));
// @ts-expect-error a tool event has no messages to change
hooks.on("before_tool", () => proceed({ messages: [] }));
// @ts-expect-error also not beside what may be changed
hooks.on("before_tool", () => proceed({ toolInput: {}, text: "Hi" }));
// @ts-expect-error of the wrong type
hooks.on("before_llm", () => proceed({ model: 5 }));
// @ts-expect-error nothing can be changed after the agent has stopped
hooks.on("after_agent", () => proceed({ message: "Hi" }));
// @ts-expect-error there is no place for context at a model call
hooks.on("before_llm", () => proceed(undefined, { context: "by the way" }));

// A patch that is made elsewhere is checked too, and one for one of several events.
const made = proceed({ toolInput: {} });
hooks.on("before_tool", () => made);
// @ts-expect-error made for another event
hooks.on("before_llm", () => made);
hooks.on(["before_tool", "before_llm"], (ctx) =>
  ctx.event === "before_llm" ? proceed({ model: "small" }) : proceed({ toolInput: {} }),
);
hooks.on("before_tool", () => Promise.resolve().then(() => proceed({ toolInput: {} })));

// A matcher that needs a tool is for events that have one.
hooks.on("before_tool", () => undefined, { matcher: { tool: "Shell", pattern: "rm" } });
hooks.on("PostToolUse", () => undefined, { matcher: allOf("Shell", not(inputPattern(/-n/)), () => true) });
hooks.on("before_step", () => undefined, { matcher: () => true });
hooks.on("before_step", () => undefined, {
  matcher: anyOf(
    predicate(() => true),
    eventType("before_step"),
  ),
});
// @ts-expect-error a step has no tool
hooks.on("before_step", () => undefined, { matcher: "Shell" });
// @ts-expect-error nor has it an input
hooks.on("before_step", () => undefined, { matcher: { pattern: "rm" } });
// @ts-expect-error also when it is combined with others
hooks.on("before_step", () => undefined, { matcher: allOf(() => true, toolName("Shell")) });
// @ts-expect-error one of the two has no tool
hooks.on(["before_tool", "before_step"], () => undefined, { matcher: "Shell" });
// @ts-expect-error the same for middleware
hooks.use("before_step", (_ctx, next) => next(), { matcher: /Shell/ });
hooks.around("around_tool", (_ctx, next) => next(), { matcher: "Shell" });
// @ts-expect-error a model call has no tool
hooks.around("around_llm", (_ctx, next) => next(), { matcher: "Shell" });

// Aliases and lists of events stand for what they stand for.
hooks.on("PostToolUse", (ctx) => {
  expectTypeOf(ctx.event).toEqualTypeOf<"after_tool" | "after_tool_failure">();
  return ctx.event === "after_tool_failure" ? undefined : proceed({ toolResult: 1 });
});
hooks.on(["before_step", "after_step"], (ctx) => void ctx.messages);
// @ts-expect-error no such event
hooks.on("before_tools", () => undefined);

// Middleware gets the same types, and hands patches in.
hooks.use("before_tool", (_ctx, next) => {
  expectTypeOf(next()).toEqualTypeOf<Promise<OutcomeOf<"before_tool">>>();
});
hooks.use("before_tool", async (ctx, next) => {
  const outcome = await next({ toolInput: { ...ctx.toolInput } });
  return outcome.type === "block" ? stop(outcome.reason) : outcome;
});
hooks.use("before_tool", (ctx, next) => next(ctx));
// @ts-expect-error not a patch of this event
hooks.use("before_tool", (_ctx, next) => next({ text: "Hi" }));

// Dispatching asks for the event's payload and gives it back.
const dispatch = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: "ls" } });
expectTypeOf(dispatch.payload.toolInput).toEqualTypeOf<Record<string, unknown>>();
// @ts-expect-error a tool event needs a tool
await hooks.dispatch("before_tool", { message: "Hi" });

// Around: only a model call can be sent elsewhere.
hooks.around("around_llm", (_ctx, next) => next({ model: "small" }));
// @ts-expect-error a tool's input has been judged
hooks.around("around_tool", (_ctx, next) => next({ toolInput: {} }));

declare const message: Message;

// A promise, whether or not there are sources of hooks.
expectTypeOf(mayChangeAnswer).returns.toEqualTypeOf<Promise<boolean>>();
