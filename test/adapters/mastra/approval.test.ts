import { callPolicy } from "@tenterhook/adapters/mastra";
import { ask, block, createHooks, proceed, skip } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answer, hookedAgent, newShell, readRequest, run } from "./testing.ts";

const call = (command: string, id: string) => ({ id, name: "shell", input: { command } });

function askAbout(command: string) {
  const hooks = createHooks();
  hooks.on("before_tool", ({ toolInput }) => (toolInput.command === command ? ask("sure?") : undefined));
  return hooks;
}

describe.each([false, true])("approvals of Mastra, streaming: %s,", (isStreamed) => {
  test("a run is resumed without any option, and the calls behind the approved one are executed", async () => {
    const { agent, model, executed } = hookedAgent(askAbout("rm"), [
      { calls: [call("rm", "1"), call("ls", "2")] },
      "Done.",
    ]);
    const paused = await run(agent, isStreamed);
    expect(paused.finishReason).toBe("suspended");
    expect(executed).toEqual([]);
    const end = await answer(agent, isStreamed, paused.runId, "1", { approved: true });
    expect(end.text).toBe("Done.");
    expect(executed).toEqual(["rm", "ls"]);
    expect(readRequest(model.requests[1])).toContain("ran ls");
  });

  test("a person is asked about a tool that Mastra offers under another name", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("sure?"));
    const executed: string[] = [];
    const calls = [{ id: "1", name: "files_read", input: { command: "ls" } }];
    const { agent } = hookedAgent(hooks, [{ calls }, "Done."], {
      tools: { "files.read": newShell(executed) },
    });
    const paused = await run(agent, isStreamed);
    expect([paused.finishReason, executed]).toEqual(["suspended", []]);
    const end = await answer(agent, isStreamed, paused.runId, "1", { approved: true });
    expect([end.text, executed]).toEqual(["Done.", ["ls"]]);
  });

  test("a declined call is reported to hooks once, and a second question of the run is asked", async () => {
    const hooks = createHooks();
    const failures: unknown[] = [];
    hooks.on("before_tool", () => ask("sure?"));
    hooks.on("after_tool_failure", ({ toolUseId }) => void failures.push(toolUseId));
    const { agent, executed } = hookedAgent(hooks, [
      { calls: [call("rm", "1")] },
      { calls: [call("ls", "2")] },
      "Done.",
    ]);
    const first = await run(agent, isStreamed);
    const second = await answer(agent, isStreamed, first.runId, "1", { approved: false });
    expect(second.finishReason).toBe("suspended");
    const end = await answer(agent, isStreamed, second.runId, "2", { approved: true });
    expect(end.text).toBe("Done.");
    expect(executed).toEqual(["ls"]);
    expect(failures).toEqual(["1"]);
  });

  test("hooks are called again after an approval, and may refuse then", async () => {
    const hooks = createHooks();
    let times = 0;
    hooks.on("before_tool", () => (++times === 1 ? ask("sure?") : { type: "block", reason: "too late" }));
    const { agent, model, executed } = hookedAgent(hooks, [{ calls: [call("rm", "1")] }, "Done."]);
    const paused = await run(agent, isStreamed);
    await answer(agent, isStreamed, paused.runId, "1", { approved: true });
    expect(executed).toEqual([]);
    expect(readRequest(model.requests[1])).toContain("too late");
  });

  test("the policy of a call is asked although that of a tool replaces it", async () => {
    const { agent, executed } = hookedAgent(createHooks(), [{ calls: [call("rm", "1")] }, "Done."]);
    const options = {
      requireToolApproval: callPolicy(({ toolName }: { toolName: string }) => toolName === "shell"),
    };
    const paused = await run(agent, isStreamed, options);
    expect(paused.finishReason).toBe("suspended");
    await answer(agent, isStreamed, paused.runId, "1", { approved: true, ...options });
    expect(executed).toEqual(["rm"]);
  });

  test("the policy of the agent is asked, and a call may replace it by none", async () => {
    const warnings: string[] = [];
    const { agent, executed } = hookedAgent(
      createHooks(),
      [{ calls: [call("rm", "1")] }, { calls: [call("ls", "2")] }, "Done."],
      {
        defaultOptions: { requireToolApproval: ({ args }) => args?.command === "rm" },
        options: { warn: (message) => void warnings.push(message) },
      },
    );
    expect((await run(agent, isStreamed)).finishReason).toBe("suspended");
    expect(executed).toEqual([]);
    expect((await run(agent, isStreamed, { requireToolApproval: callPolicy(false) })).text).toBe("Done.");
    expect(executed).toEqual(["ls"]);
    expect(warnings).toEqual([]);
  });

  test("a person is asked, with a warning, about a call whose own policy was not noted", async () => {
    const warnings: string[] = [];
    const { agent, executed } = hookedAgent(createHooks(), [{ calls: [call("ls", "1")] }, "Done."], {
      options: { warn: (message) => void warnings.push(message) },
    });
    const paused = await run(agent, isStreamed, { requireToolApproval: () => false });
    expect([paused.finishReason, executed]).toEqual(["suspended", []]);
    expect(warnings[0]).toContain("callPolicy");
  });

  test("no person is asked about a call that hooks refuse or answer, although its tool requires an approval", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) =>
      toolInput.command === "rm" ? block("no rm") : skip("cached"),
    );
    const executed: string[] = [];
    const shell = newShell(executed, { requireApproval: true });
    const calls = [call("rm", "1"), call("ls", "2")];
    const { agent, model } = hookedAgent(hooks, [{ calls }, "Done."], { tools: { shell } });
    expect([(await run(agent, isStreamed)).text, executed]).toEqual(["Done.", []]);
    expect(readRequest(model.requests[1])).toContain("no rm");
    expect(readRequest(model.requests[1])).toContain("cached");
  });

  test("a tool's own requireApproval is asked about the input that hooks changed, and hooks again after the answer", async () => {
    const hooks = createHooks();
    let times = 0;
    hooks.on("before_tool", () =>
      ++times === 1 ? proceed({ toolInput: { command: "pwd" } }) : block("too late"),
    );
    const executed: string[] = [];
    const asked: unknown[] = [];
    const requireApproval = (input: unknown) => asked.push(input) > 0;
    const shell = newShell(executed, { requireApproval });
    const { agent, model } = hookedAgent(hooks, [{ calls: [call("ls", "1")] }, "Done."], {
      tools: { shell },
    });
    const paused = await run(agent, isStreamed);
    expect([paused.finishReason, asked]).toEqual(["suspended", [{ command: "pwd" }]]);
    await answer(agent, isStreamed, paused.runId, "1", { approved: true });
    expect(executed).toEqual([]);
    expect(readRequest(model.requests[1])).toContain("too late");
  });

  test("a tool's own requireApproval is asked", async () => {
    const executed: string[] = [];
    const shell = newShell(executed, { requireApproval: true });
    const { agent } = hookedAgent(createHooks(), [{ calls: [call("rm", "1")] }, "Done."], {
      tools: { shell },
    });
    expect((await run(agent, isStreamed)).finishReason).toBe("suspended");
    expect(executed).toEqual([]);
  });

  test("a tool's own requireApproval is asked about an input that is nested too deeply to be written as JSON", async () => {
    const executed: string[] = [];
    const inputSchema = z.object({ command: z.string(), list: z.any() });
    const shell = newShell(executed, { inputSchema, requireApproval: true });
    const input = `{"command":"rm","list":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const { agent } = hookedAgent(createHooks(), [{ calls: [{ id: "1", name: "shell", input }] }, "Done."], {
      tools: { shell },
    });
    expect((await run(agent, isStreamed)).finishReason).toBe("suspended");
    expect(executed).toEqual([]);
  });

  test("a guard that fails while Mastra asks for an approval refuses the call and does not pause the run", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on("before_tool", () => {
      throw new Error("no policy");
    });
    const { agent, executed } = hookedAgent(hooks, [{ calls: [call("rm", "1")] }, "Done."]);
    const end = await run(agent, isStreamed);
    expect(end).toMatchObject({ text: "Done.", finishReason: "stop" });
    expect(executed).toEqual([]);
  });

  test("an approver of this process is asked instead, also about a tool of a toolset", async () => {
    const asked: string[] = [];
    const { agent, executed } = hookedAgent(
      askAbout("rm"),
      [{ calls: [call("rm", "1"), { id: "2", name: "other", input: { command: "rm" } }] }, "Done."],
      {
        options: {
          approve: ({ reason }) => {
            asked.push(reason);
            return { type: "approve" };
          },
        },
      },
    );
    const end = await run(agent, isStreamed, { toolsets: { more: { other: newShell(executed) } } });
    expect(end.text).toBe("Done.");
    expect(asked).toEqual(["sure?", "sure?"]);
    expect(executed).toEqual(["rm", "rm"]);
  });

  test("a tool of a toolset is refused when a hook asks and no approver decides", async () => {
    const { agent, executed } = hookedAgent(askAbout("rm"), [
      { calls: [{ id: "1", name: "other", input: { command: "rm" } }] },
      "Done.",
    ]);
    await run(agent, isStreamed, { toolsets: { more: { other: newShell(executed) } } });
    expect(executed).toEqual([]);
  });
});
