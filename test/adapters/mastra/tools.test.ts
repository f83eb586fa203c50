import { createTool } from "@mastra/core/tools";
import { block, createHooks, proceed, recover, skip, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hookedAgent, newShell, readRequest, run } from "./testing.ts";

const oneCall = [{ calls: [{ name: "shell", input: { command: "ls" } }] }, "Done."];

describe.each([false, true])("tools of Mastra, streaming: %s,", (isStreamed) => {
  test("a refusal is marked as an error, and the model reads the bare reason", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not on a Friday"));
    const { agent, model, executed } = hookedAgent(hooks, oneCall);
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(executed).toEqual([]);
    expect(readRequest(model.requests[1])).toContain('{"type":"error-text","value":"not on a Friday"}');
  });

  test("a guard holds although the call has its own beforeToolCall, which replaces that of the agent", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not on a Friday"));
    const { agent, model, executed } = hookedAgent(hooks, oneCall);
    const asked: string[] = [];
    const options = {
      hooks: { beforeToolCall: ({ toolName }: { toolName: string }) => void asked.push(toolName) },
    };
    await run(agent, isStreamed, options);
    expect(asked).toEqual(["shell"]);
    expect(executed).toEqual([]);
    expect(readRequest(model.requests[1])).toContain("not on a Friday");
  });

  test("a guard of a tool of a toolset holds although defaultOptions have their own beforeToolCall", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not on a Friday"));
    const asked: string[] = [];
    const { agent, executed } = hookedAgent(hooks, oneCall, {
      tools: {},
      defaultOptions: { hooks: { beforeToolCall: ({ toolName }) => void asked.push(toolName) } },
    });
    await run(agent, isStreamed, { toolsets: { set: { shell: newShell(executed) } } });
    expect({ asked, executed }).toEqual({ asked: [], executed: [] });
  });

  test("a run ends when the call's own beforeToolCall kept a tool of a toolset from its guard, and no model reads the result", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not on a Friday"));
    const { agent, model } = hookedAgent(hooks, oneCall, { tools: {} });
    const options = {
      toolsets: { set: { shell: newShell([]) } },
      hooks: { beforeToolCall: () => undefined },
    };
    const { error } = await run(agent, isStreamed, options);
    expect(error).toContain('the tool "shell" was executed without hooks');
    expect(model.requests.length).toBe(1);
  });

  test("a run ends when the call replaces both tool hooks and so executed a tool of a toolset without ours", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not on a Friday"));
    const { agent, model } = hookedAgent(hooks, oneCall, { tools: {} });
    const options = {
      toolsets: { set: { shell: newShell([]) } },
      hooks: { beforeToolCall: () => undefined, afterToolCall: () => undefined },
    };
    const { error } = await run(agent, isStreamed, options);
    expect(error).toContain('the tool "shell" was executed without hooks');
    expect(model.requests.length).toBe(1);
  });

  test("a call that replaces both tool hooks keeps the guards of the agent's own tools, and unknown tools are no error", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("not on a Friday"));
    const calls = ["shell", "unknown"].map((name) => ({ name, input: { command: "ls" } }));
    const { agent, model, executed } = hookedAgent(hooks, [{ calls }, "Done."]);
    const both = { beforeToolCall: () => undefined, afterToolCall: () => undefined };
    const { text } = await run(agent, isStreamed, { hooks: both });
    expect({ text, executed }).toEqual({ text: "Done.", executed: [] });
    expect(readRequest(model.requests[1])).toContain("not on a Friday");
  });

  test("the agent's own tool hooks are called after ours, with the changed input, and may skip the tool", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
    const results: unknown[] = [];
    hooks.on("after_tool", ({ toolResult }) => void results.push(toolResult));
    const seen: unknown[] = [];
    const { agent, executed } = hookedAgent(hooks, oneCall, {
      hooks: {
        beforeToolCall: ({ input }) => {
          seen.push(input);
          return { proceed: false, output: "from the agent" };
        },
      },
    });
    await run(agent, isStreamed);
    expect({ seen, executed, results }).toEqual({
      seen: [{ command: "pwd" }],
      executed: [],
      results: ["from the agent"],
    });
  });

  test("a guard also checks the tools of a toolset, whose results it may withhold", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? block("no rm") : undefined));
    hooks.on("after_tool", ({ toolInput }) =>
      toolInput.command === "secrets" ? block("it is secret") : undefined,
    );
    const calls = ["rm", "secrets", "ls"].map((command) => ({ name: "other", input: { command } }));
    const { agent, model } = hookedAgent(hooks, [{ calls }, "Done."]);
    const executed: string[] = [];
    await run(agent, isStreamed, { toolsets: { more: { other: newShell(executed) } } });
    expect(executed).toEqual(["secrets", "ls"]);
    const read = readRequest(model.requests[1]);
    expect(read).toContain("no rm");
    expect(read).toContain("The result was withheld: it is secret");
    expect(read).not.toContain("ran secrets");
    expect(read).toContain("ran ls");
  });

  test("a changed result of a toolset is used if it is an object, and withheld if it is a text", async () => {
    const hooks = createHooks();
    hooks.on("after_tool", ({ toolName }) =>
      proceed({ toolResult: toolName === "text" ? "changed" : { files: 3 } }),
    );
    const calls = ["text", "object"].map((name) => ({ name, input: {} }));
    const { agent, model } = hookedAgent(hooks, [{ calls }, "Done."]);
    const newTool = (id: string, result: unknown) =>
      createTool({ id, description: id, inputSchema: z.object({}), execute: async () => result });
    const more = { text: newTool("text", "plain"), object: newTool("object", { files: 1, secret: "x" }) };
    await run(agent, isStreamed, { toolsets: { more } });
    const read = readRequest(model.requests[1]);
    expect(read).toContain('{"files":3}');
    expect(read).not.toContain("plain");
    expect(read).toContain("Mastra cannot carry the change");
  });

  test("a result of the agent's own tool is changed, skipped, withheld and recovered", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "cached" ? skip("old") : undefined));
    hooks.on("after_tool", ({ toolInput }) =>
      toolInput.command === "ls" ? proceed({ toolResult: "three files" }) : undefined,
    );
    hooks.on("after_tool_failure", () => recover("nothing"));
    const calls = ["ls", "cached", "fail"].map((command) => ({ name: "shell", input: { command } }));
    const { agent, model, executed } = hookedAgent(hooks, [{ calls }, "Done."]);
    await run(agent, isStreamed);
    expect(executed).toEqual(["ls", "fail"]);
    const read = readRequest(model.requests[1]);
    for (const text of ["three files", "old", "nothing"]) expect(read).toContain(text);
    expect(read).not.toContain("the disk is full");
  });

  test("a changed input that the schema refuses is not executed", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on("before_tool", () => proceed({ toolInput: { command: 7 } }), { name: "changer" });
    const { agent, executed } = hookedAgent(hooks, oneCall);
    await run(agent, isStreamed);
    expect(executed).toEqual([]);
  });

  test("a stop refuses the parallel calls too, and fails the run", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? stop("enough") : undefined));
    const calls = ["rm", "ls"].map((command) => ({ name: "shell", input: { command } }));
    const { agent, model, executed } = hookedAgent(hooks, [{ calls }, "Done."]);
    expect((await run(agent, isStreamed)).error).toContain("enough");
    expect(executed).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  test("a wrapper that tries again executes a tool again with the parsed input, which the tool may write to", async () => {
    const inputs: unknown[] = [];
    const pack = createTool({
      id: "pack",
      description: "Packs files.",
      inputSchema: z.object({ paths: z.array(z.string()), level: z.number().default(9) }),
      execute: async (input) => {
        inputs.push(structuredClone(input));
        input.paths.push("README");
        if (inputs.length === 1) throw new Error("the disk is busy");
        return input.paths.join(",");
      },
    });
    const calls = [{ name: "pack", input: { paths: ["src"] } }];
    const { agent, model } = hookedAgent(retrying(), [{ calls }, "Done."], { tools: { pack } });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(inputs).toEqual(Array(2).fill({ paths: ["src"], level: 9 }));
    expect(readRequest(model.requests[1])).toContain("src,README");
  });

  test("a wrapper that tries again a tool of a toolset gets an error, and the tool is executed once", async () => {
    const hooks = retrying();
    const failures: unknown[] = [];
    hooks.on("after_tool_failure", ({ error }) => void failures.push(error.message));
    const calls = [{ name: "other", input: { command: "fail" } }];
    const { agent, model } = hookedAgent(hooks, [{ calls }, "Done."]);
    const executed: string[] = [];
    expect((await run(agent, isStreamed, { toolsets: { more: { other: newShell(executed) } } })).text).toBe(
      "Done.",
    );
    expect(executed).toEqual(["fail"]);
    expect(failures).toEqual([expect.stringContaining('Mastra executes this call of "other" only once')]);
    expect(readRequest(model.requests[1])).toContain("only once");
  });

  test("a wrapper cannot try again a tool that was resumed, and a suspended one waits whatever a wrapper does", async () => {
    const hooks = retrying();
    const failures: unknown[] = [];
    hooks.on("after_tool_failure", ({ error }) => void failures.push(error.message));
    const executed: unknown[] = [];
    const confirm = createTool({
      id: "confirm",
      description: "Waits for a confirmation.",
      inputSchema: z.object({}),
      suspendSchema: z.object({}),
      resumeSchema: z.object({ isSure: z.boolean() }),
      execute: async (_input, context) => {
        executed.push(context.agent?.resumeData);
        if (context.agent?.resumeData === undefined) return context.agent?.suspend({});
        throw new Error("the disk is full");
      },
    });
    const calls = [{ id: "1", name: "confirm", input: {} }];
    const { agent } = hookedAgent(hooks, [{ calls }, "Done."], { tools: { confirm } });
    const paused = await run(agent, isStreamed);
    expect([paused.finishReason, executed, failures]).toEqual(["suspended", [undefined], []]);
    const given = { runId: paused.runId, toolCallId: "1" };
    const text = isStreamed
      ? await (await agent.resumeStream({ isSure: true }, given)).text
      : (await agent.resumeGenerate({ isSure: true }, given)).text;
    expect([text, executed]).toEqual(["Done.", [undefined, { isSure: true }]]);
    expect(failures).toEqual([expect.stringContaining("only once")]);
  });

  test("a failing guard refuses a call of an agent's tool and of a toolset", async () => {
    const hooks = createHooks({ report: () => undefined });
    hooks.on(
      "before_tool",
      () => {
        throw new Error("no policy");
      },
      { name: "guard" },
    );
    const calls = ["shell", "other"].map((name) => ({ name, input: { command: "ls" } }));
    const { agent, model, executed } = hookedAgent(hooks, [{ calls }, "Done."]);
    await run(agent, isStreamed, { toolsets: { more: { other: newShell(executed) } } });
    expect(executed).toEqual([]);
    expect(readRequest(model.requests[1]).split("no policy")).toHaveLength(3);
  });

  test("parallel calls are executed at the same time where no person is asked", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => undefined);
    let running = 0;
    let most = 0;
    let release = () => {};
    const together = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wait = createTool({
      id: "wait",
      description: "Waits for the other.",
      inputSchema: z.object({ name: z.string() }),
      execute: async () => {
        most = Math.max(most, ++running);
        if (running === 2) release();
        await together;
        running--;
        return "done";
      },
    });
    const calls = ["a", "b"].map((name) => ({ name: "wait", input: { name } }));
    const { agent } = hookedAgent(hooks, [{ calls }, "Done."], { tools: { wait } });
    expect((await run(agent, isStreamed)).text).toBe("Done.");
    expect(most).toBe(2);
  });

  test("runs with the same request context at the same time keep their calls apart", async () => {
    const { RequestContext } = await import("@mastra/core/request-context");
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("before_tool", ({ runId, toolInput }) => void seen.push(`${runId} ${toolInput.command}`));
    hooks.on("after_tool", ({ runId, toolInput }) => void seen.push(`${runId} ${toolInput.command}`));
    const first = hookedAgent(hooks, [
      { calls: [{ id: "a", name: "shell", input: { command: "ls" } }] },
      { calls: [{ id: "b", name: "shell", input: { command: "pwd" } }] },
      "Done.",
      "Done.",
    ]);
    const requestContext = new RequestContext();
    await Promise.all([
      run(first.agent, isStreamed, { requestContext }),
      run(first.agent, isStreamed, { requestContext }),
    ]);
    // Each call has the same run before and after.
    const runIds = (command: string) =>
      new Set(seen.filter((each) => each.endsWith(command)).map((each) => each.split(" ")[0]));
    expect(runIds("ls").size).toBe(1);
    expect(runIds("pwd").size).toBe(1);
    expect([...runIds("ls")]).not.toEqual([...runIds("pwd")]);
  });
});

/** Hooks with a wrapper that calls `next` again after a failure. */
function retrying() {
  const hooks = createHooks({ report: () => undefined });
  hooks.around("around_tool", async (_call, next) => {
    try {
      return await next();
    } catch {
      return next();
    }
  });
  return hooks;
}
