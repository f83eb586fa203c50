import { type Context, createHooks, type EventName, type Hooks } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent } from "../agent.ts";
import { scriptedModel } from "../model/scripted/scripted-model.ts";

const INPUT = { command: "ls", options: { paths: ["/tmp"] } };
const SCHEMAS = {
  "JSON Schema": { type: "object", additionalProperties: true },
  zod: z.object({ command: z.string(), options: z.any() }),
};

function setUp(hooks: Hooks, inputSchema: unknown = SCHEMAS["JSON Schema"]) {
  const ran: unknown[] = [];
  const result = { lines: ["a", "b"] };
  const model = scriptedModel([{ text: "I look.", toolCalls: [{ name: "shell", input: INPUT }] }, "Done."]);
  const execute = (input: unknown) => {
    ran.push(structuredClone(input));
    return result;
  };
  const agent = new Agent({
    name: "a",
    instructions: "Work.",
    model,
    hooks,
    tools: { shell: { description: "Runs.", inputSchema: inputSchema as object, execute } },
  });
  return { agent, model, ran, result };
}

/** A write into what a hook of JavaScript was given; the types forbid all of them. */
type Write = (ctx: never) => unknown;

const WRITES: readonly (readonly [EventName, string, Write])[] = [
  [
    "before_tool",
    "a field of the input",
    (ctx: { toolInput: { command: string } }) => (ctx.toolInput.command = "rm"),
  ],
  [
    "before_tool",
    "a new field",
    (ctx: { toolInput: Record<string, unknown> }) => (ctx.toolInput.force = true),
  ],
  [
    "before_tool",
    "a deleted field",
    (ctx: { toolInput: { command?: string } }) => delete ctx.toolInput.command,
  ],
  [
    "before_tool",
    "a nested list",
    (ctx: { toolInput: typeof INPUT }) => ctx.toolInput.options.paths.push("/"),
  ],
  ["before_tool", "the field itself", (ctx: { toolInput: unknown }) => (ctx.toolInput = {})],
  [
    "before_tool",
    "the payload's field",
    (ctx: { payload: { toolInput: unknown } }) => (ctx.payload.toolInput = {}),
  ],
  ["before_tool", "the payload itself", (ctx: { payload: unknown }) => (ctx.payload = { toolInput: {} })],
  ["after_tool", "a result", (ctx: { toolResult: { lines: string[] } }) => ctx.toolResult.lines.pop()],
  ["before_step", "the list of messages", (ctx: { messages: unknown[] }) => ctx.messages.pop()],
  ["before_llm", "the list of messages", (ctx: { messages: unknown[] }) => ctx.messages.pop()],
  [
    "before_llm",
    "a message",
    (ctx: { messages: { content: unknown }[] }) => ((ctx.messages[0] as { content: unknown }).content = "x"),
  ],
  ["before_llm", "the tools", (ctx: { tools: unknown[] }) => ctx.tools.pop()],
  [
    "before_llm",
    "a tool's schema",
    (ctx: { tools: { inputSchema: { type: string } }[] }) =>
      ((ctx.tools[0] as { inputSchema: { type: string } }).inputSchema.type = "array"),
  ],
  [
    "after_llm",
    "the calls of an answer",
    (ctx: { toolUses: { input: { command: string } }[] }) =>
      ((ctx.toolUses[0] as { input: { command: string } }).input.command = "rm"),
  ],
  ["after_llm", "the list of calls", (ctx: { toolUses: unknown[] }) => ctx.toolUses.pop()],
  ["after_step", "the messages", (ctx: { messages: unknown[] }) => ctx.messages.pop()],
  ["before_agent", "the agent", (ctx: { agent: { name: string } }) => (ctx.agent.name = "b")],
];

describe.each(Object.entries(SCHEMAS))("with an input by %s", (_name, schema) => {
  test.each(WRITES)(
    "on %s a write into %s changes nothing, and fails the hook",
    async (event, _what, write) => {
      const expected = setUp(createHooks(), schema);
      await expected.agent.run("Go.");
      const failures: string[] = [];
      const hooks = createHooks({ report: (failure) => failures.push(failure.message) });
      hooks.on(event, ((ctx: never) => void write(ctx)) as never, { onError: "continue" });
      const { agent, model, ran, result } = setUp(hooks, schema);
      const run = await agent.run("Go.");
      expect(ran).toEqual([INPUT]);
      expect(result).toEqual({ lines: ["a", "b"] });
      expect(model.requests.map(({ messages, tools }) => ({ messages, tools }))).toEqual(
        expected.model.requests.map(({ messages, tools }) => ({ messages, tools })),
      );
      expect(run.messages).toHaveLength(4);
      expect(failures[0]).toContain("cannot be changed in place");
    },
  );
});

test("the failure of a write names the way to change the value", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", (ctx) => {
    (ctx.toolInput as { command: string }).command = "rm";
  });
  const { agent, ran } = setUp(hooks);
  const run = await agent.run("Go.");
  expect(ran).toEqual([]);
  expect(run.acts[0]?.reason).toContain("return proceed({ toolInput }) with a changed copy");
});

test("a write into a value that another hook has changed fails too, and a change of that hook afterwards has no effect", async () => {
  const failures: string[] = [];
  const hooks = createHooks({ report: (failure) => failures.push(failure.message) });
  const changed = { command: "ls -l", options: { paths: ["/var"] } };
  hooks.on("before_tool", () => ({ type: "proceed", patch: { toolInput: changed } }) as const);
  hooks.on(
    "before_tool",
    (ctx) => {
      // The hook that made it may still change its own object.
      changed.command = "rm -rf /";
      (ctx.toolInput.options as { paths: string[] }).paths.push("/");
    },
    { onError: "continue" },
  );
  const { agent, ran } = setUp(hooks);
  await agent.run("Go.");
  expect(ran).toEqual([{ command: "ls -l", options: { paths: ["/var"] } }]);
  expect(failures[0]).toContain("cannot be changed in place");
});

test("a getter in a change is read once: guards and the tool get the same value", async () => {
  const hooks = createHooks();
  let reads = 0;
  const seen: unknown[] = [];
  const toolInput = {
    get command() {
      return reads++ === 0 ? "ls" : "rm -rf /";
    },
  };
  hooks.on("before_tool", () => ({ type: "proceed", patch: { toolInput } }) as const, { priority: 1 });
  hooks.on("before_tool", (ctx) => void seen.push(ctx.toolInput.command));
  const { agent, ran } = setUp(hooks);
  await agent.run("Go.");
  expect({ seen, ran }).toEqual({ seen: ["ls"], ran: [{ command: "ls" }] });
});

test("what the host owns is not frozen: a tool may change its input and its result, and metadata stays writable", async () => {
  const hooks = createHooks();
  const states: unknown[] = [];
  hooks.on("before_tool", (ctx) => {
    ctx.metadata.list = [1];
    (ctx.metadata.list as number[]).push(2);
  });
  hooks.on("before_step", (ctx) => {
    const state = { ...ctx.state, metadata: { ...ctx.state?.metadata, step: ctx.stepIndex } };
    return { type: "proceed", patch: { state } } as Awaited<
      ReturnType<(ctx: Context<"before_step">) => never>
    >;
  });
  hooks.on("after_tool", (ctx) => void states.push({ input: ctx.toolInput, result: ctx.toolResult }));
  const result = { lines: ["a"] };
  const input = { command: "ls", options: { paths: ["/tmp"] } };
  const schema = { type: "object", additionalProperties: true };
  const agent = new Agent({
    name: "a",
    model: scriptedModel([
      { toolCalls: [{ name: "shell", input }] },
      { toolCalls: [{ name: "shell", input }] },
      "Done.",
    ]),
    hooks,
    tools: {
      shell: {
        inputSchema: schema,
        execute: (given: typeof input) => {
          given.options.paths.push("/var");
          result.lines.push("b");
          return result;
        },
      },
    },
  });
  await agent.run("Go.");
  input.command = "still mine";
  Object.assign(schema, { title: "still mine" });
  expect(result.lines).toEqual(["a", "b", "b"]);
  expect(states).toEqual([
    { input: { command: "ls", options: { paths: ["/tmp"] } }, result: { lines: ["a", "b"] } },
    { input: { command: "ls", options: { paths: ["/tmp"] } }, result: { lines: ["a", "b", "b"] } },
  ]);
});
