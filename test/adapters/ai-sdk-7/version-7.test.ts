import { hookTools, withHooks } from "@tenterhook/adapters/ai-sdk";
import { ask, block, createHooks, proceed } from "@tenterhook/engine";
import {
  experimental_createSteering,
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  ToolLoopAgent,
  tool,
} from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { scriptMock } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/mock-model.js";

const inputSchema = jsonSchema<{ command: string }>({
  type: "object",
  properties: { command: { type: "string" } },
});
const script = [{ calls: [{ id: "1", name: "shell", input: { command: "ls" } }] }, { text: "Done." }];

function newShell(executed: string[]) {
  return tool({ inputSchema, execute: async ({ command }) => void executed.push(command) });
}

describe("what only version 7 has", () => {
  test("hooks judge the input that the program's own refineToolInput made", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("before_tool", ({ toolInput }) => void seen.push(toolInput.command));
    const executed: string[] = [];
    const agent = new ToolLoopAgent(
      withHooks(
        {
          model: new MockLanguageModelV4(scriptMock(script) as never),
          tools: { shell: newShell(executed) },
          experimental_refineToolInput: {
            shell: ({ command }: { command: string }) => ({ command: `${command} -l` }),
          },
        },
        hooks,
      ),
    );
    await agent.generate({ prompt: "Hello" });
    expect({ seen, executed }).toEqual({ seen: ["ls -l"], executed: ["ls -l"] });
  });

  test("a message that the program steers into the run is kept, and the changed message too", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", () => proceed({ message: "Good morning" }));
    const mock = scriptMock(script);
    const steering = experimental_createSteering();
    const shell = tool({
      inputSchema,
      execute: async () => {
        void steering.steer("Hurry.");
        return "ran";
      },
    });
    const { text } = await generateText({
      ...withHooks(
        {
          model: new MockLanguageModelV4(mock as never),
          tools: { shell },
          prompt: "Hello",
          stopWhen: stepCountIs(5),
        },
        hooks,
      ),
      experimental_steering: steering,
    });
    expect(text).toBe("Done.");
    const last = JSON.stringify(mock.sent[1]?.prompt);
    expect(last).toMatch(/Good morning.*Hurry\./);
    expect(last).not.toContain("Hello");
  });

  test("a toolApproval of the program that throws fails the run, and after_agent is fired", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("after_agent", ({ status }) => void ends.push(status));
    const executed: string[] = [];
    const settings = {
      model: new MockLanguageModelV4(scriptMock(script) as never),
      tools: { shell: newShell(executed) },
      toolApproval: async () => {
        throw new Error("no policy");
      },
    };
    const agent = new ToolLoopAgent(withHooks(settings, hooks));
    await expect(agent.generate({ prompt: "Hello" })).rejects.toThrow("no policy");
    expect({ ends, executed }).toEqual({ ends: ["failed"], executed: [] });
  });

  test("the reason of a hook that asks is in the approval request", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("is this safe?"));
    const tools = { shell: newShell([]) };
    const model = new MockLanguageModelV4(scriptMock(script) as never);
    const { content } = await new ToolLoopAgent(withHooks({ model, tools }, hooks)).generate({
      prompt: "Hello",
    });
    expect(content.find(({ type }) => type === "tool-approval-request")).toMatchObject({
      reason: "is this safe?",
    });
  });

  test("a person who is asked reads the input that a hook changed", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => proceed({ toolInput: { command: "rm" } }), { priority: 1 });
    hooks.on("before_tool", () => ask("is this safe?"));
    const tools = { shell: newShell([]) };
    const model = new MockLanguageModelV4(scriptMock(script) as never);
    const { content } = await new ToolLoopAgent(withHooks({ model, tools }, hooks)).generate({
      prompt: "Hello",
    });
    expect(content.find(({ type }) => type === "tool-approval-request")).toMatchObject({
      reason: 'is this safe? (with the input that a hook changed: {"command":"rm"})',
    });
  });

  test("a person is asked about an input that cannot be written as JSON, because the schema made a BigInt", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("is this safe?"));
    const size = jsonSchema<{ size: bigint }>(
      {},
      { validate: () => ({ success: true, value: { size: 5n } }) },
    );
    const tools = { shell: tool({ inputSchema: size, execute: async () => "done" }) };
    const model = new MockLanguageModelV4(scriptMock(script) as never);
    const { content } = await new ToolLoopAgent(withHooks({ model, tools }, hooks)).generate({
      prompt: "Hello",
    });
    expect(content.find(({ type }) => type === "tool-approval-request")).toMatchObject({
      reason: "is this safe?",
    });
  });

  test("a toolApproval of the program is asked about tools that the provider executes", async () => {
    const asked: string[] = [];
    const call = { toolCallId: "1", toolName: "search", providerExecuted: true };
    const content = [
      { type: "tool-call", ...call, input: "{}" },
      { type: "tool-result", ...call, result: "found" },
      { type: "text", text: "Done." },
    ];
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("before_tool", () => block("never"));
    hooks.on("after_agent", ({ status }) => void ends.push(status));
    const search = {
      type: "provider",
      id: "acme.search",
      isProviderExecuted: true,
      args: {},
      inputSchema: jsonSchema({ type: "object" }),
      outputSchema: jsonSchema({}),
    };
    const result = streamText(
      withHooks(
        {
          model: new MockLanguageModelV4(scriptMock([{ content } as never]) as never),
          tools: { search } as never,
          prompt: "Hello",
          toolApproval: (({ toolCall }: { toolCall: { toolName: string } }) => {
            asked.push(toolCall.toolName);
            return "not-applicable";
          }) as never,
        },
        hooks,
        { warn: () => undefined },
      ) as never,
    );
    expect(await result.text).toBe("Done.");
    expect({ asked, ends }).toEqual({ asked: ["search"], ends: ["completed"] });
  });

  test("hookTools refuses what a hook asks about where the program's own toolApproval replaces its question", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("is this safe?"));
    const executed: string[] = [];
    const mock = scriptMock(script);
    await generateText({
      model: new MockLanguageModelV4(mock as never),
      tools: hookTools({ shell: newShell(executed) }, hooks),
      toolApproval: async () => undefined,
      prompt: "Hello",
      stopWhen: stepCountIs(3),
    });
    expect(executed).toEqual([]);
    expect(JSON.stringify(mock.sent[1]?.prompt)).toContain("is this safe?");
  });
});
