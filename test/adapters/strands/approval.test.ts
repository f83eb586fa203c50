import { type AgentResult, type Interrupt, tool } from "@strands-agents/sdk";
import { ask, createHooks, proceed } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { callThen, hookedAgent, readTexts, recordEvents } from "./testing.ts";

describe("a tool call that a hook asks about", () => {
  test("pauses the run with the question, and runs after an approval", async () => {
    const { hooks, fired } = recordEvents();
    const traces: string[] = [];
    hooks.onTrace(({ event, action }) => {
      if (event === "before_tool") traces.push(action);
    });
    hooks.on("before_tool", () => ask("may it?"), { name: "careful" });
    const { agent, model, runs } = hookedAgent(hooks, callThen("rm"));
    const paused = await agent.invoke("remove");
    expect([paused.stopReason, runs]).toEqual(["interrupt", []]);
    const [interrupt] = paused.interrupts ?? [];
    expect(interrupt?.reason).toEqual({
      reason: "may it?",
      hook: "careful",
      toolName: "shell",
      toolInput: { command: "rm" },
    });
    expect(fired).not.toContain("after_agent");
    const result = await agent.invoke([answer(interrupt, true)]);
    expect([result.toString(), runs, model.requests.length]).toEqual(["done", ["rm"], 2]);
    // Hooks were called again, and the call is recorded once.
    expect(traces).toEqual(["go_on"]);
    expect(fired.filter((event) => event.endsWith("_agent"))).toEqual(["before_agent", "after_agent"]);
  });

  test("is refused with the reason of the person, and by every answer that is not an approval", async () => {
    const readings: string[] = [];
    for (const response of [
      { type: "reject", reason: "not mine" },
      false,
      "maybe",
      { approved: "true" },
      null,
    ]) {
      const hooks = createHooks();
      hooks.on("before_tool", () => ask("may it?"));
      const { agent, model, runs } = hookedAgent(hooks, callThen("rm"));
      const paused = await agent.invoke("remove");
      await agent.invoke([answer(paused.interrupts?.[0], response)]);
      expect(runs).toEqual([]);
      readings.push(readTexts(model.requests[1]?.messages ?? []).at(-1) ?? "");
    }
    const rejected = "error: may it? (rejected)";
    expect(readings).toEqual(["error: not mine", rejected, rejected, rejected, rejected]);
  });

  test("runs with the input that the person edited", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("may it?"));
    const { agent, runs } = hookedAgent(hooks, callThen("rm"));
    const paused = await agent.invoke("remove");
    await agent.invoke([answer(paused.interrupts?.[0], { type: "edit", value: { command: "ls" } })]);
    expect(runs).toEqual(["ls"]);
  });

  test("is asked about again when a later hook changes what was approved", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("may it?"));
    let command = "rm a";
    hooks.on("before_tool", () => proceed({ toolInput: { command } }));
    const { agent, runs } = hookedAgent(hooks, callThen("ls"));
    const first = await agent.invoke("remove");
    const second = await agent.invoke([answer(first.interrupts?.[0], true)]);
    expect(second.interrupts?.[0]?.reason).toMatchObject({ toolInput: { command: "rm a" } });
    command = "rm b";
    const third = await agent.invoke([answer(second.interrupts?.[0], true)]);
    expect(third.interrupts?.[0]?.reason).toMatchObject({ toolInput: { command: "rm b" } });
    await agent.invoke([answer(third.interrupts?.[0], "yes")]);
    expect(runs).toEqual(["rm b"]);
  });

  test("is asked about together with the others of its step, and those that need no answer have run", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) =>
      toolInput.command === "free" ? undefined : ask(`may ${toolInput.command}?`),
    );
    const calls = ["a", "free", "b"].map((command) => ({ name: "shell", input: { command } }));
    const { agent, runs } = hookedAgent(hooks, [{ calls }, "done"]);
    const paused = await agent.invoke("go");
    expect(runs).toEqual(["free"]);
    const interrupts = paused.interrupts ?? [];
    expect(interrupts.length).toBe(2);
    await agent.invoke(interrupts.map((interrupt) => answer(interrupt, !interrupt.id.includes("call-1"))));
    expect(runs).toEqual(["free", "b"]);
  });

  test("is decided in the process if there is an approver", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("may it?"));
    const { agent, runs } = hookedAgent(hooks, callThen("rm"), {
      options: { approve: () => ({ type: "approve" }) },
    });
    const result = await agent.invoke("remove");
    expect([result.stopReason, runs]).toEqual(["endTurn", ["rm"]]);
  });

  test("can be approved for an agent that was restored from a snapshot", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("may it?"));
    const first = hookedAgent(hooks, callThen("rm"));
    const paused = await first.agent.invoke("remove");
    const snapshot = JSON.parse(JSON.stringify(first.agent.takeSnapshot({ preset: "session" })));
    const second = hookedAgent(hooks, ["done"]);
    await second.agent.initialize();
    second.agent.loadSnapshot(snapshot);
    await second.agent.invoke([answer(paused.interrupts?.[0], true)]);
    expect(second.runs).toEqual(["rm"]);
  });
});

describe("a tool that asks a person itself", () => {
  test("pauses as without hooks, and no hook takes the pause for a failure", async () => {
    const { hooks, fired } = recordEvents();
    const asking = tool({
      name: "asking",
      description: "Asks.",
      inputSchema: z.object({}),
      callback: (_input, context) => `heard ${context?.interrupt({ name: "who" })}`,
    });
    const { agent, model } = hookedAgent(hooks, [{ calls: [{ name: "asking", input: {} }] }, "done"], {
      tools: [asking],
    });
    const paused: AgentResult = await agent.invoke("go");
    expect(paused.stopReason).toBe("interrupt");
    expect(fired).not.toContain("after_tool_failure");
    await agent.invoke([answer(paused.interrupts?.[0], "me")]);
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toBe("success: heard me");
    expect(fired.filter((event) => event === "after_tool")).toEqual(["after_tool"]);
  });
});

function answer(interrupt: Interrupt | undefined, response: unknown) {
  return { interruptResponse: { interruptId: interrupt?.id ?? "", response: response as never } };
}
