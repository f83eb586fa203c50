import { createHooks } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { type Script, scriptedModel } from "../testing/index.ts";

function nested(levels: number): Record<string, unknown> {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = [value];
  return { value };
}

const escaped = () => ({ value: "\u0001".repeat(6 * 1024 * 1024) });

function setUp(script: Script, more: Partial<AgentOptions> = {}) {
  const hooks = createHooks({ report: () => undefined });
  const ran: unknown[] = [];
  const seen: unknown[] = [];
  hooks.on("before_tool", ({ toolInput }) => void seen.push(toolInput));
  const model = scriptedModel(script);
  const tools = {
    take: {
      inputSchema: { type: "object" },
      execute: (input: unknown) => {
        ran.push(input);
        return "taken";
      },
    },
    give: { inputSchema: { type: "object" }, execute: () => nested(5_000) },
    ring: {
      inputSchema: { type: "object" },
      execute: () => {
        const self: Record<string, unknown> = {};
        self.self = self;
        return self;
      },
    },
  };
  const agent = createAgent({ model, hooks, tools, ...more });
  return { hooks, agent, model, ran, seen };
}

const calls = (name: string, input: Record<string, unknown>) => ({
  toolCalls: [{ id: "call-1", name, input }],
});

describe("a tool call of a model", () => {
  test.each([
    ["nested 5,000 levels deep", () => nested(5_000), "deeper than 200 levels"],
    ["36 MiB long when escaped", escaped, "longer than 33554432 bytes"],
  ])(
    "whose input is %s is not run, no hook is asked about it, and the model gets the reason",
    async (_, input, why) => {
      const { agent, model, ran, seen } = setUp([calls("take", input()), "I see."]);
      const run = await agent.run("Go.");
      expect(run).toMatchObject({ status: "completed", text: "I see." });
      expect([ran, seen]).toEqual([[], []]);
      const shown = JSON.stringify(model.requests[1]?.messages);
      expect(shown).toContain(`the input of take is`);
      expect(shown).toContain(why);
      expect(shown.length).toBeLessThan(5_000);
      expect(() => JSON.stringify(run)).not.toThrow();
    },
  );

  test("within the limits is run as it is", async () => {
    const { agent, ran } = setUp([calls("take", nested(199)), "Done."]);
    await agent.run("Go.");
    expect(ran).toEqual([nested(199)]);
  });

  test("that a hook changes into something beyond the limits is refused", async () => {
    const { agent, hooks, ran } = setUp([calls("take", {}), "I see."]);
    hooks.on("before_tool", () => ({ type: "proceed", patch: { toolInput: nested(5_000) } }) as const);
    const run = await agent.run("Go.");
    expect(ran).toEqual([]);
    expect(JSON.stringify(run.messages)).toContain("deeper than 200 levels");
  });
});

describe("a tool's result", () => {
  test("beyond the limits fails the call with that reason, and after_tool_failure fires", async () => {
    const { agent, hooks } = setUp([calls("give", {}), "I see."]);
    const failures: string[] = [];
    hooks.on("after_tool_failure", ({ error }) => void failures.push(error.message));
    const run = await agent.run("Go.");
    expect(failures).toEqual([
      expect.stringContaining("the result of give is nested deeper than 200 levels"),
    ]);
    expect(JSON.stringify(run.messages)).toContain("the result of give is nested deeper than 200 levels");
  });

  test("that contains itself is shown as text", async () => {
    const { agent } = setUp([calls("ring", {}), "I see."]);
    expect(JSON.stringify((await agent.run("Go.")).messages)).toContain("[object Object]");
  });
});

test("a final answer nested beyond the limits is refused with that reason, and the model may try again", async () => {
  const { agent, model } = setUp([JSON.stringify(nested(3_000)), '{"value":1}']);
  const run = await agent.run("Go.", { as: { type: "object" } });
  expect(run.output).toEqual({ value: 1 });
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("deeper than 200 levels");
});
