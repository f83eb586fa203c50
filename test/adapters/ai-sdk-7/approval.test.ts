import { withHooks } from "@tenterhook/adapters/ai-sdk";
import { ask, block, createHooks } from "@tenterhook/engine";
import { jsonSchema, ToolLoopAgent, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { scriptMock } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/mock-model.js";

const inputSchema = jsonSchema<{ command: string }>({
  type: "object",
  properties: { command: { type: "string" } },
});
const script = [{ calls: [{ id: "1", name: "shell", input: { command: "ls" } }] }, { text: "Done." }];

function newModel() {
  return new MockLanguageModelV4(scriptMock(script) as never);
}

test("a question of a hook is an approval request, and the tool does not run", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => ask("is this safe?"));
  let runs = 0;
  const shell = tool({ inputSchema, execute: async () => ++runs });
  const agent = new ToolLoopAgent(withHooks({ model: newModel(), tools: { shell } }, hooks));
  const { content } = await agent.generate({ prompt: "Hello" });
  expect(content.map(({ type }) => type)).toContain("tool-approval-request");
  expect(runs).toBe(0);
});

test.each(["without hooks", "with a hook that lets it pass"])(
  "a tool's own needsApproval is still asked %s, although the SDK replaces it by toolApproval",
  async (name) => {
    const hooks = createHooks();
    if (name !== "without hooks") hooks.on("before_tool", () => undefined);
    let runs = 0;
    const shell = tool({ inputSchema, needsApproval: true, execute: async () => ++runs } as never);
    const agent = new ToolLoopAgent(withHooks({ model: newModel(), tools: { shell } }, hooks));
    const { content } = await agent.generate({ prompt: "Hello" });
    expect(content.map(({ type }) => type)).toContain("tool-approval-request");
    expect(runs).toBe(0);
  },
);

test("the user's own toolApproval is asked about what hooks let pass, and not about what they refuse", async () => {
  const asked: string[] = [];
  const toolApproval = async ({ toolCall }: { toolCall: { toolName: string } }) => {
    asked.push(toolCall.toolName);
    return "user-approval" as const;
  };
  let runs = 0;
  const shell = tool({ inputSchema, execute: async () => ++runs });
  const settings = { tools: { shell }, toolApproval: toolApproval as never };
  const quiet = createHooks();
  quiet.on("before_tool", () => undefined);
  const free = new ToolLoopAgent(withHooks({ model: newModel(), ...settings }, quiet));
  expect((await free.generate({ prompt: "Hello" })).content.map(({ type }) => type)).toContain(
    "tool-approval-request",
  );
  const hooks = createHooks();
  hooks.on("before_tool", () => block("never"));
  const guarded = new ToolLoopAgent(withHooks({ model: newModel(), ...settings }, hooks));
  expect((await guarded.generate({ prompt: "Hello" })).text).toBe("Done.");
  expect(asked).toEqual(["shell"]);
  expect(runs).toBe(0);
});
