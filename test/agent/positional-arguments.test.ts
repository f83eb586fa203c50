import {
  type AgentBuilder,
  type AgentState,
  CallableHook,
  HookEvent,
  HookOutcome,
  HookStack,
  AgentState as State,
  StateProcessorAdapter,
  ToolCall,
  ToolHookContext,
  ToolNameMatcher,
} from "@tenterhook/agent/builder";
import { createHooks } from "@tenterhook/engine";
import { ConfigHooks } from "@tenterhook/engine/config";
import { HookStack as EngineStack } from "@tenterhook/engine/stack";
import { describe, expect, test } from "vitest";
import { bash, calls, scriptedBuilder, userTexts } from "./scripted-builder.ts";

const noop = () => undefined;
const build = (register: (builder: AgentBuilder) => AgentBuilder) =>
  register(scriptedBuilder([]).builder).build();

describe('"$builder->onBeforeToolUse( callback: callable, […] priority: int = 0, matcher: string|HookMatcher|null = null, );"', () => {
  test("priority and matcher count by their positions", async () => {
    const seen: string[] = [];
    const note = (name: string) => (ctx: ToolHookContext) =>
      void seen.push(`${name} ${ctx.toolCall().name()}`);
    const { builder } = scriptedBuilder([
      { toolCalls: [...bash("ls").toolCalls, ...calls("read_file").toolCalls] },
      "done",
    ]);
    await builder
      .onBeforeToolUse(note("normal"))
      .onBeforeToolUse(note("security"), 100, "bash")
      .onBeforeToolUse(note("logging"), -100, new ToolNameMatcher("read_*"))
      .onBeforeToolUse(note("all"), 50, null)
      .onBeforeToolUse(note("late"), undefined, "bash")
      .onAfterToolUse(note("after"), 10, "bash")
      .build()
      .run("Go");
    const isAfter = (text: string) => text.startsWith("after");
    expect(seen.filter((text) => !isAfter(text))).toEqual([
      "security bash",
      "all bash",
      "normal bash",
      "late bash",
      "all read_file",
      "normal read_file",
      "logging read_file",
    ]);
    expect(seen.filter(isAfter)).toEqual(["after bash"]);
  });

  test("every method of the builder takes them", () => {
    const agent = build((builder) =>
      builder
        .onBeforeToolUse(noop, 1)
        .onAfterToolUse(noop, 2)
        .onBeforeStep(noop, 3)
        .onAfterStep(noop, 4)
        .onExecutionStart(noop, 5)
        .onExecutionEnd(noop, 6)
        .onStop(noop, 7)
        .onSubagentStop(noop, 8)
        .onAgentFailed(noop, 9),
    );
    const priorities = agent.hooks.list().map(({ priority }) => priority);
    expect([...new Set(priorities)].toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.each<[string, (builder: AgentBuilder) => unknown, RegExp]>([
    [
      "a matcher as the second argument",
      (b) => b.onBeforeToolUse(noop, "bash" as never),
      /PreToolUse.*second argument.*string bash.*\(callback, 100, "bash"\)/,
    ],
    ["a regular expression", (b) => b.onBeforeToolUse(noop, /bash/ as never), /second argument/],
    [
      "a matcher object",
      (b) => b.onBeforeToolUse(noop, new ToolNameMatcher("bash") as never),
      /second argument/,
    ],
    ["a priority as text", (b) => b.onBeforeToolUse(noop, "100" as never), /second argument.*string 100/],
    ["null as the priority", (b) => b.onBeforeToolUse(noop, null as never), /second argument is null/],
    ["a list", (b) => b.onBeforeToolUse(noop, [100] as never), /second argument is an array/],
    ["a function", (b) => b.onBeforeToolUse(noop, noop as never), /second argument is a function/],
    ["half a priority", (b) => b.onBeforeToolUse(noop, 1.5), /integer, not 1.5/],
    ["no number", (b) => b.onBeforeToolUse(noop, Number.NaN), /integer, not NaN/],
    ["a number as the matcher", (b) => b.onBeforeToolUse(noop, 1, 2 as never), /not a matcher: 2/],
    [
      "options behind a priority",
      (b) => b.onBeforeToolUse(noop, 1, { matcher: "bash" } as never),
      /a matcher has no field "matcher"/,
    ],
    [
      "a matcher behind options",
      (b) => b.onBeforeToolUse(noop, { priority: 1 } as never, "bash"),
      /third argument.*string bash.*into the options/,
    ],
    [
      "a fourth argument",
      (b) => (b.onStop as (...given: unknown[]) => unknown)(noop, 1, null, { name: "x" }),
      /Stop.*fourth argument/,
    ],
    [
      "arguments behind named ones",
      (b) => b.onStop({ callback: noop }, 5 as never),
      /second argument.*number 5.*into the object/,
    ],
    [
      "a hook in the place of a callback",
      (b) => b.onStop(new CallableHook(noop) as never),
      /Stop: the first argument.*instance of a class.*addHook\(event, hook, 100\)/,
    ],
    ["an unknown named argument", (b) => b.onStop({ callback: noop, prio: 5 } as never), /no option "prio"/],
    ["a matcher where there is no tool", (b) => b.onStop(noop, 1, "bash" as never), /has no tool/],
  ])("anything else is an error that says what to write: %s", (_, register, message) => {
    const { builder } = scriptedBuilder([]);
    expect(() => register(builder)).toThrow(message);
    expect(builder.build().hooks.list()).toEqual([]);
  });
});

describe('"$builder->addHook( event: HookEvent::ExecutionStart, hook: new CallableHook($callback, $matcher), priority: 100, );"', () => {
  const hook = new CallableHook(function first() {});

  test("takes them by position, with options, and by name", () => {
    const agent = build((builder) =>
      builder
        .addHook(HookEvent.ExecutionStart, hook, 100)
        .addHook(HookEvent.ExecutionStart, hook, { priority: 100 })
        .addHook({ event: HookEvent.ExecutionStart, hook, priority: 100 })
        .addHook({ event: [HookEvent.ExecutionStart, HookEvent.Stop], hook, priority: 100, timeoutMs: 50 })
        .addHook({ event: HookEvent.ExecutionStart, hook }),
    );
    const [first, ...others] = agent.hooks.list("before_agent").map(({ id: _, ...each }) => each);
    expect(first).toMatchObject({ name: "first", priority: 100, source: "builder" });
    expect(others).toEqual([first, first, { ...first, timeoutMs: 50 }, { ...first, priority: 0 }]);
    expect(agent.hooks.list("before_stop")).toMatchObject([{ priority: 100, timeoutMs: 50 }]);
  });

  test.each<[string, (builder: AgentBuilder) => unknown, RegExp]>([
    [
      "a priority as text",
      (b) => b.addHook(HookEvent.Stop, hook, "100" as never),
      /Stop.*third argument.*string 100.*\(event, hook, 100\)/,
    ],
    ["null", (b) => b.addHook(HookEvent.Stop, hook, null as never), /third argument is null/],
    [
      "a fourth argument",
      (b) => (b.addHook as (...given: unknown[]) => unknown)(HookEvent.Stop, hook, 1, "bash"),
      /fourth argument/,
    ],
    [
      "arguments behind named ones",
      (b) => (b.addHook as (...given: unknown[]) => unknown)({ event: HookEvent.Stop, hook }, 100),
      /second argument.*number 100.*into the object/,
    ],
    [
      "a hook without its event",
      (b) => (b.addHook as (...given: unknown[]) => unknown)(hook, 100),
      /first argument.*instance of a class.*addHook\(event, hook, 100\)/,
    ],
    [
      "no hook",
      (b) => b.addHook({ event: HookEvent.Stop } as never),
      /handle\(context, next\), not undefined/,
    ],
    ["no event", (b) => b.addHook({ hook } as never), /no event "undefined"/],
    [
      "an unknown name",
      (b) => b.addHook({ event: HookEvent.Stop, hook, prio: 1 } as never),
      /no option "prio"/,
    ],
    ["no list of events", (b) => b.addHook([], hook), /no event/],
  ])("anything else is an error that says what to write: %s", (_, register, message) => {
    const { builder } = scriptedBuilder([]);
    expect(() => register(builder)).toThrow(message);
    expect(builder.build().hooks.list()).toEqual([]);
  });
});

describe('"->with(new SecurityHook(), priority: 100)"', () => {
  const context = ToolHookContext.beforeTool(new ToolCall("bash"), new State({ agentId: "a" }));
  const noting = (name: string, order: string[]) =>
    new CallableHook(() => {
      order.push(name);
    });

  test("takes the priority by position or in an object", async () => {
    const order: string[] = [];
    await new HookStack()
      .with(noting("normal", order))
      .with(noting("logging", order), -100)
      .with(noting("security", order), 100)
      .with(noting("metrics", order), { priority: 50 })
      .withAll([{ hook: noting("first", order), priority: 200 }])
      .process(context, (reached) => HookOutcome.proceed(reached));
    expect(order).toEqual(["first", "security", "metrics", "normal", "logging"]);
  });

  test.each([
    ["text", "100", /second argument.*string 100.*with\(hook, 100\)/],
    ["null", null, /second argument is null/],
    ["a list", [100], /an array/],
    ["a matcher", new ToolNameMatcher("bash"), /second argument/],
    ["an unknown option", { prio: 100 }, /no option "prio".*priority/],
    ["half a priority", 1.5, /integer, not 1.5/],
    ["no number", { priority: "100" }, /integer, not 100/],
  ])("anything else is an error that says what to write: %s", (_, given, message) => {
    const hook = new CallableHook(noop);
    expect(() => new HookStack().with(hook, given as never)).toThrow(message);
    expect(() => new EngineStack().with(noop as never, given as never)).toThrow(message);
    expect(() =>
      (new HookStack().with as (...given: unknown[]) => unknown).call(new HookStack(), hook, 1, 2),
    ).toThrow(/third argument/);
  });
});

describe("\"$hook = new StateProcessorAdapter($processor, position: 'after');\"", () => {
  const reminding = {
    process: (state: AgentState) =>
      state.withMessages([...state.messages(), { role: "user", content: "be brief" }]),
  };

  test("takes the position by its place or by its name", async () => {
    for (const position of ["before", { position: "before" }] as const) {
      const { builder, model } = scriptedBuilder(["done"]);
      await builder
        .addHook(HookEvent.BeforeStep, new StateProcessorAdapter(reminding, position))
        .build()
        .run("Go");
      expect(userTexts(model)).toEqual(["Go", "be brief"]);
    }
    for (const position of ["after", { position: "after" }, {}, undefined] as const)
      expect(new StateProcessorAdapter(reminding, position).events).toEqual([HookEvent.AfterStep]);
  });

  test.each([
    ["between", /string between.*"before" or "after"/],
    [{ position: "between" }, /string between.*"before" or "after"/],
    [{ place: "before" }, /no option "place".*position/],
    [null, /null.*"before" or "after"/],
    [100, /number 100.*"before" or "after"/],
    [["before"], /an array.*"before" or "after"/],
  ])("anything else is an error that says what to write: %j", (position, message) => {
    expect(() => new StateProcessorAdapter(reminding, position as never)).toThrow(message);
  });

  test("rejects what is not a processor", () => {
    expect(() => new StateProcessorAdapter("before" as never)).toThrow(/process\(state\), not string before/);
  });
});

describe("what is not an object in the place of options", () => {
  test.each([100, "first", null, /bash/, [1], noop])(
    "is an error wherever hooks are registered: %s",
    (given) => {
      const hooks = createHooks();
      const wrong = given as never;
      expect(() => hooks.on("before_tool", noop, wrong)).toThrow(
        /options must be an object, not .*The options are name, /,
      );
      expect(() => hooks.use("before_tool", (_ctx, next) => next(), wrong)).toThrow(
        /options must be an object/,
      );
      expect(() => hooks.around("around_tool", (_ctx, next) => next(), wrong)).toThrow(
        /options must be an object/,
      );
      expect(() => new ConfigHooks(hooks).register("beforeTool", noop, wrong)).toThrow(
        /options must be an object/,
      );
      expect(hooks.list()).toEqual([]);
    },
  );

  test("says how a priority is written", () => {
    expect(() => createHooks().on("before_tool", noop, 100 as never)).toThrow(/Write \{ priority: 100 \}/);
  });

  test("and an option that does not exist is one too", () => {
    const hooks = createHooks();
    const wrong = { prio: 1 } as never;
    expect(() => new ConfigHooks(hooks).register("beforeTool", noop, wrong)).toThrow(/no option "prio"/);
    expect(() => hooks.around("around_tool", (_ctx, next) => next(), wrong)).toThrow(/no option "prio"/);
  });
});
