import {
  allOf,
  anyOf,
  block,
  createHooks,
  eventType,
  HookStack,
  isBlocked,
  type Middleware,
  predicate,
  proceed,
  type StackHook,
  stop,
  toolName,
} from "@tenterhook/engine";
import { describe, expect, test } from "vitest";

// The examples of the builder's handbook, written for the engine. The builder itself is a thin layer over these calls.

const bash = (command: string) => ({ toolName: "bash", toolInput: { command } });
const state = { agentId: "agent-7", parentAgentId: "agent-1", stepCount: 3 };

describe("quick start", () => {
  test("a dangerous command is blocked, the start is logged and the failure is alerted", async () => {
    const hooks = createHooks();
    const log: string[] = [];
    hooks.on(
      "PreToolUse",
      ({ toolInput }) => {
        if (String(toolInput.command ?? "").includes("rm -rf")) return block("Dangerous command blocked");
        return proceed();
      },
      { priority: 100, matcher: "bash" },
    );
    hooks.on("ExecutionStart", (ctx) => void log.push(`Agent started: ${ctx.state?.agentId}`));
    hooks.on("AgentFailed", (ctx) => void log.push(`Agent failed: ${ctx.error.message}`));

    await hooks.dispatch("before_agent", { message: "Hi", state });
    expect((await hooks.dispatch("before_tool", bash("rm -rf /"))).reason).toBe("Dangerous command blocked");
    expect((await hooks.dispatch("before_tool", bash("ls"))).action).toBe("go_on");
    await hooks.dispatch("agent_failed", { error: new Error("out of memory"), state });
    expect(log).toEqual(["Agent started: agent-7", "Agent failed: out of memory"]);
  });
});

describe("matchers", () => {
  const asked = async (matcher: Parameters<typeof allOf>[0], name: string, more: object = {}) => {
    const hooks = createHooks();
    let count = 0;
    hooks.on("before_tool", () => void count++, { matcher });
    await hooks.dispatch("before_tool", { toolName: name, toolInput: {}, ...more });
    return count === 1;
  };

  test.each([
    ["bash", "bash", true],
    ["bash", "bashful", false],
    ["read_*", "read_file", true],
    ["read_*", "bread_file", false],
    ["*_file", "write_file", true],
    ["*", "anything", true],
    ["/^(read|write)_.+$/", "write_file", true],
    ["/^(read|write)_.+$/", "rewrite_file", false],
  ])("the tool name matcher %s and the tool %s: %s", async (pattern, name, expected) => {
    expect(await asked(toolName(pattern), name)).toBe(expected);
  });

  test("event types filter a hook that stands on several events", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(["before_step", "after_step", "before_agent"], (ctx) => void seen.push(ctx.event), {
      matcher: eventType("before_step", "after_step"),
    });
    await hooks.dispatch("before_agent", { message: "Hi" });
    await hooks.dispatch("before_step", { messages: [] });
    await hooks.dispatch("after_step", { messages: [] });
    expect(seen).toEqual(["before_step", "after_step"]);
  });

  test("and, or and predicates nest", async () => {
    const early = predicate<"before_tool">(({ state: s }) => (s?.stepCount ?? 0) < 5, "early");
    const safe = predicate<"before_tool">(({ state: s }) => s?.metadata?.safe_mode === true, "safe mode");
    const nested = allOf(anyOf(toolName("bash"), toolName("shell")), safe);
    expect(await asked(allOf(toolName("bash"), early), "bash", { state })).toBe(true);
    expect(await asked(allOf(toolName("bash"), early), "bash", { state: { ...state, stepCount: 9 } })).toBe(
      false,
    );
    expect(await asked(anyOf(toolName("read_*"), toolName("write_*")), "write_file")).toBe(true);
    expect(await asked(nested, "shell", { state: { ...state, metadata: { safe_mode: true } } })).toBe(true);
    expect(await asked(nested, "shell", { state })).toBe(false);
    expect(nested.description).toBe("(tool bash or tool shell) and safe mode");
  });
});

describe("common patterns", () => {
  test.each(["rm -rf", "sudo", "> /dev/", "mkfs"])("security validation blocks %s", async (pattern) => {
    const hooks = createHooks();
    const dangerous = ["rm -rf", "sudo", "> /dev/", "mkfs"];
    hooks.on(
      "before_tool",
      ({ toolInput }) => {
        const found = dangerous.find((text) => String(toolInput.command ?? "").includes(text));
        return found === undefined ? proceed() : block(`Dangerous command blocked: ${found}`);
      },
      { priority: 100, matcher: "bash" },
    );
    expect((await hooks.dispatch("before_tool", bash(`echo x; ${pattern} y`))).reason).toBe(
      `Dangerous command blocked: ${pattern}`,
    );
  });

  test("execution timing: what the start noted is there at the end", async () => {
    const hooks = createHooks();
    const recorded: number[] = [];
    hooks.on("before_agent", (ctx) => void (ctx.metadata.started_at = performance.now()));
    hooks.on("after_agent", (ctx) => void recorded.push(performance.now() - Number(ctx.metadata.started_at)));
    const run = { metadata: {} };
    await hooks.dispatch("before_agent", { message: "Hi" }, run);
    await hooks.dispatch("after_agent", { status: "completed" }, run);
    expect(recorded).toHaveLength(1);
    expect(recorded[0]).toBeGreaterThan(0);
  });

  test.each([
    [{ pending_tasks: ["a", "b"] }, "Tasks remaining: 2"],
    [{ output_quality: 0.5 }, "Quality below threshold"],
    [{}, undefined],
  ])("conditional continuation with %j", async (metadata, reason) => {
    const hooks = createHooks();
    hooks.on("Stop", ({ state: s }) => {
      const { pending_tasks: tasks = [], output_quality: quality = 1 } = (s?.metadata ?? {}) as {
        pending_tasks?: string[];
        output_quality?: number;
      };
      if (tasks.length > 0) return block(`Tasks remaining: ${tasks.length}`);
      return quality < 0.8 ? block("Quality below threshold") : proceed();
    });
    const dispatch = await hooks.dispatch("before_stop", {
      stopReason: "no_tool_calls",
      state: { ...state, metadata },
    });
    expect([dispatch.reason, dispatch.action]).toEqual([reason, reason === undefined ? "go_on" : "hold"]);
  });

  test("error recovery logging has the whole context", async () => {
    class CriticalError extends Error {
      override name = "CriticalError";
    }
    const hooks = createHooks();
    const logged: unknown[] = [];
    hooks.on("agent_failed", ({ state: s, error }) => {
      logged.push({
        agent_id: s?.agentId,
        parent_id: s?.parentAgentId,
        steps_completed: s?.stepCount,
        error_class: error.name,
        error_message: error.message,
        has_stack: (error.stack ?? "").includes("builder-patterns"),
        last_tool: s?.currentStep?.toolCalls?.[0]?.name,
        critical: error instanceof CriticalError,
      });
    });
    const currentStep = { index: 2, toolCalls: [{ id: "1", name: "bash", input: {} }] };
    await hooks.dispatch("agent_failed", {
      error: new CriticalError("disk full"),
      state: { ...state, currentStep },
    });
    expect(logged).toEqual([
      {
        agent_id: "agent-7",
        parent_id: "agent-1",
        steps_completed: 3,
        error_class: "CriticalError",
        error_message: "disk full",
        has_stack: true,
        last_tool: "bash",
        critical: true,
      },
    ]);
  });

  test("hooks of equal priority run in order of registration, security before logging", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.on("before_tool", () => void order.push("logging"), { priority: -100 });
    hooks.on("before_tool", () => void order.push("normal 1"));
    hooks.on("before_tool", () => void order.push("normal 2"));
    hooks.on("before_tool", () => void order.push("security"), { priority: 100 });
    await hooks.dispatch("before_tool", bash("ls"));
    expect(order).toEqual(["security", "normal 1", "normal 2", "logging"]);
  });
});

describe("custom hooks", () => {
  class RateLimitHook implements Middleware<"before_tool"> {
    #calls = 0;
    readonly #maxCallsPerMinute: number;

    constructor(maxCallsPerMinute: number) {
      this.#maxCallsPerMinute = maxCallsPerMinute;
    }

    handle(...[context, next]: Parameters<Middleware<"before_tool">["handle"]>) {
      if (this.#calls >= this.#maxCallsPerMinute) return block("Rate limit exceeded");
      this.#calls++;
      return next(context);
    }
  }

  test("a class with handle(ctx, next) is a hook", async () => {
    const hooks = createHooks();
    hooks.use("before_tool", new RateLimitHook(2));
    const actions = [];
    for (let n = 0; n < 3; n++) actions.push((await hooks.dispatch("before_tool", bash("ls"))).action);
    expect(actions).toEqual(["go_on", "go_on", "refuse"]);
  });

  test("a stack runs alone, and its outcome can be asked", async () => {
    class SecurityHook implements StackHook<{ agentId: string }> {
      handle(context: { agentId: string }, next: Parameters<StackHook<{ agentId: string }>["handle"]>[1]) {
        return context.agentId === "evil" ? stop("not you") : next(context);
      }
    }
    const stack = new HookStack<{ agentId: string }>().with(new SecurityHook(), { priority: 100 });
    expect(isBlocked(await stack.process({ agentId: "good" }, () => proceed()))).toBe(false);
    expect(await stack.process({ agentId: "evil" }, () => proceed())).toEqual(stop("not you"));
  });
});
