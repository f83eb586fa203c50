import { ask, block, createHooks, type Hooks, proceed, skip, stop } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { claudeHooks } from "./claude-hooks.ts";
import type { ClaudeOptions } from "./sdk-types.ts";
import { CallbackClient, readOutput } from "./testing/callback-client.ts";

const quiet = (): Hooks => createHooks({ report: () => {} });
const bash = { stdout: "secret", stderr: "", interrupted: false };

function connect(hooks: Hooks, options: ClaudeOptions = {}): CallbackClient {
  return new CallbackClient(claudeHooks(hooks, options));
}

describe("the options", () => {
  test("have one callback per event, which refuses if its answer is lost, and keep everything else", () => {
    const own = async () => ({});
    const options = claudeHooks(quiet(), {
      model: "m",
      hooks: { Stop: [{ hooks: [own] }], Setup: [{ hooks: [own] }] },
    });
    expect(options.model).toBe("m");
    const entries: object = options.hooks;
    expect(entries).toMatchObject({
      PreToolUse: [{ onFailure: "block" }],
      PostToolUse: [{ onFailure: "block" }],
      Stop: [{ hooks: [own] }, { onFailure: "block" }],
      Setup: [{ hooks: [own] }],
    });
    expect(entries).not.toHaveProperty("SessionStart");
    expect(options).not.toHaveProperty("canUseTool");
  });
});

describe("PreToolUse", () => {
  test("answers nothing for a call that no hook objects to", async () => {
    const { answer } = await connect(quiet()).start("Bash", { command: "ls" });
    expect(answer).toEqual({ hookSpecificOutput: { hookEventName: "PreToolUse" } });
  });

  test("denies a blocked call with the bare reason", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => block("no"), { matcher: "Shell" });
    const { answer } = await connect(hooks).start("Bash", { command: "ls" });
    expect(answer).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "no",
      },
    });
  });

  test("gives the changed input without a permission", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
    const { answer } = await connect(hooks).start("Bash", { command: "ls" });
    expect(readOutput(answer)).toEqual({ hookEventName: "PreToolUse", updatedInput: { command: "pwd" } });
  });

  test("denies and ends the agent at a stop, and at every later event", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => stop("enough"), { matcher: "Bash" });
    const client = connect(hooks);
    const { answer } = await client.start("Bash", { command: "ls" });
    expect(answer).toMatchObject({ continue: false, hookSpecificOutput: { permissionDecision: "deny" } });
    const later = await client.start("Read", { file_path: "a" });
    expect(later.answer).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: "deny" },
    });
    expect(await client.call("PostToolBatch", { tool_calls: [] })).toMatchObject({ continue: false });
    expect(await client.call("Stop")).toMatchObject({ continue: false });
    expect(await client.call("UserPromptSubmit", { prompt: "again" })).toMatchObject({ continue: false });
  });

  test("ends every agent of the session at a stop in a subagent that has outlived the turn it began in", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => stop("enough"), { matcher: "Bash" });
    const client = connect(hooks);
    const subagent = { agent_id: "a1", agent_type: "helper" };
    await client.call("UserPromptSubmit", { prompt: "one" });
    await client.call("SubagentStart", subagent);
    await client.call("UserPromptSubmit", { prompt: "two" });
    await client.start("Bash", { command: "ls" }, subagent);
    const { answer } = await client.start("Read", { file_path: "a" });
    expect(answer).toMatchObject({ continue: false, hookSpecificOutput: { permissionDecision: "deny" } });
  });

  test("denies a skipped call with its result", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => skip({ files: 3 }));
    const { answer } = await connect(hooks).start("Bash", { command: "ls" });
    expect(readOutput(answer)).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: 'The tool was not run; this is its result: {"files":3}',
    });
  });

  test("allows what a person approved in canUseTool, and refuses what none can approve", async () => {
    const hooks = quiet();
    hooks.on("before_tool", () => ask("sure?"));
    const canUseTool = async () => ({ behavior: "allow" }) as const;
    const approved = await connect(hooks, { canUseTool }).start("Bash", { command: "ls" });
    expect(readOutput(approved.answer)).toEqual({ hookEventName: "PreToolUse", permissionDecision: "allow" });
    const refused = await connect(hooks).start("Bash", { command: "ls" });
    expect(readOutput(refused.answer)).toMatchObject({ permissionDecision: "deny" });
  });
});

describe("callbacks of the user", () => {
  const answer = (output: object, name = "PreToolUse") => ({
    hooks: [async () => ({ hookSpecificOutput: { hookEventName: name, ...output } })],
  });

  test("change the input before hooks check it", async () => {
    const hooks = quiet();
    hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "rm" ? block("no rm") : undefined));
    const PreToolUse = [answer({ updatedInput: { command: "rm" }, permissionDecision: "allow" })];
    const { answer: refused } = await connect(hooks, { hooks: { PreToolUse } }).start("Bash", {
      command: "ls",
    });
    expect(readOutput(refused)).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "no rm",
    });
  });

  test("keep their decisions: a refusal wins, then a question, then a permission", async () => {
    const decide = async (...decisions: string[]) => {
      const PreToolUse = decisions.map((decision) => answer({ permissionDecision: decision }));
      const { answer: merged } = await connect(quiet(), { hooks: { PreToolUse } }).start("Bash", {});
      return readOutput(merged).permissionDecision;
    };
    expect(await decide("allow")).toBe("allow");
    expect(await decide("allow", "ask")).toBe("ask");
    expect(await decide("deny", "ask", "allow")).toBe("deny");
  });

  test("are called only for the tools that they match, and a failure counts as Claude Code counts it", async () => {
    const fail = () => Promise.reject(new Error("broken"));
    const only = { matcher: "Read", ...answer({ permissionDecision: "deny" }) };
    const warn = () => {};
    const start = async (entry: object) => {
      const options = { hooks: { PreToolUse: [only, entry as typeof only] } };
      const client = new CallbackClient(claudeHooks(quiet(), options, { warn }));
      return readOutput((await client.start("Bash", {})).answer).permissionDecision;
    };
    expect(await start({ hooks: [fail] })).toBeUndefined();
    expect(await start({ hooks: [fail], onFailure: "block" })).toBe("deny");
  });

  test("change the result before hooks see it", async () => {
    const hooks = quiet();
    const seen: unknown[] = [];
    hooks.on("after_tool", ({ toolResult }) => void seen.push(toolResult));
    const changed = { ...bash, stdout: "theirs" };
    const client = connect(hooks, {
      hooks: { PostToolUse: [answer({ updatedToolOutput: changed }, "PostToolUse")] },
    });
    const { fields } = await client.start("Bash", {});
    expect(readOutput(await client.finish(fields, bash)).updatedToolOutput).toEqual(changed);
    expect(seen).toEqual([changed]);
  });
});

describe("PostToolUse", () => {
  test("answers nothing for a result that no hook changes", async () => {
    const client = connect(quiet());
    const { fields } = await client.start("Bash", {});
    expect(await client.finish(fields, bash)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse" },
    });
  });

  test("withholds every text of a blocked result", async () => {
    const hooks = quiet();
    hooks.on("after_tool", () => block("no"));
    const client = connect(hooks);
    const { fields } = await client.start("Bash", {});
    const text = "The result was withheld: no";
    expect(readOutput(await client.finish(fields, bash)).updatedToolOutput).toEqual({
      stdout: text,
      stderr: text,
      interrupted: false,
    });
  });

  test("withholds the result of a call that hooks have not seen", async () => {
    const answer = await connect(quiet()).finish({ tool_name: "Bash", tool_use_id: "unknown" }, bash);
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  test("gives a result of another shape as context", async () => {
    const hooks = quiet();
    hooks.on("after_tool", () => proceed({ toolResult: { count: 3 } }));
    const client = connect(hooks);
    const { fields } = await client.start("Bash", {});
    const output = readOutput(await client.finish(fields, bash));
    expect(output.additionalContext).toBe('The result is: {"count":3}');
    expect(JSON.stringify(output)).not.toContain("secret");
  });

  test("ends the agent in PostToolBatch if the model would read a result that was to be replaced", async () => {
    const hooks = quiet();
    hooks.on("after_tool", () => block("no"));
    const batch = async (rendered: string) => {
      const client = connect(hooks);
      const { fields } = await client.start("Bash", {});
      await client.finish(fields, bash);
      return client.call("PostToolBatch", { tool_calls: [{ ...fields, tool_response: rendered }] });
    };
    expect(await batch("The result was withheld: no")).toEqual({});
    expect(await batch("secret")).toMatchObject({ continue: false });
  });
});

describe("UserPromptSubmit", () => {
  test("blocks a refused prompt without repeating it", async () => {
    const hooks = quiet();
    hooks.on("before_agent", () => block("no"));
    expect(await connect(hooks).call("UserPromptSubmit", { prompt: "hi" })).toEqual({
      decision: "block",
      reason: "no",
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", suppressOriginalPrompt: true },
    });
  });

  test("fires session_start once, and gives its context to the first prompt", async () => {
    const hooks = quiet();
    hooks.on("session_start", () => proceed({}, { context: "welcome" }));
    const client = connect(hooks);
    const first = await client.call("UserPromptSubmit", { prompt: "one" });
    const second = await client.call("UserPromptSubmit", { prompt: "two" });
    expect([readOutput(first).additionalContext, readOutput(second).additionalContext]).toEqual([
      "welcome",
      undefined,
    ]);
  });
});

describe("Stop", () => {
  test("blocks with the feedback, at most so often in a turn", async () => {
    const hooks = quiet();
    hooks.on("before_stop", () => block("go on"));
    const client = new CallbackClient(claudeHooks(hooks, {}, { maxHolds: 1 }));
    await client.call("UserPromptSubmit", { prompt: "one" });
    expect(await client.call("Stop", { last_assistant_message: "a" })).toEqual({
      decision: "block",
      reason: "go on",
    });
    expect(await client.call("Stop", { last_assistant_message: "b" })).toMatchObject({ continue: false });
    await client.call("UserPromptSubmit", { prompt: "two" });
    expect(await client.call("Stop", { last_assistant_message: "c" })).toMatchObject({ decision: "block" });
  });
});

describe("canUseTool", () => {
  test("of the user gets every field that the SDK gives", async () => {
    const asked: unknown[] = [];
    const options = claudeHooks(quiet(), {
      canUseTool: async (...values: unknown[]) => {
        asked.push(values);
        return { behavior: "allow" as const };
      },
    });
    const context = { toolUseID: "1", suggestions: [], signal: new AbortController().signal };
    const answer = await options.canUseTool("Bash", { command: "ls" }, context);
    expect([asked, answer]).toEqual([[["Bash", { command: "ls" }, context]], { behavior: "allow" }]);
  });
});
