import { InMemoryStore } from "@mastra/core/storage";
import { ask, block, createHooks, type Hooks, type Trace } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { answer, hookedAgent, readRequest, run } from "./testing.ts";

const call = (command: string) => ({ id: "1", name: "shell", input: { command } });

describe.each([false, true])("a run that was paused in another process, streaming: %s,", (isStreamed) => {
  const pause = async () => {
    const storage = new InMemoryStore();
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("sure?"));
    const { agent, executed } = hookedAgent(hooks, [{ calls: [call("rm")] }], { storage });
    const { runId, finishReason } = await run(agent, isStreamed);
    expect([finishReason, executed]).toEqual(["suspended", []]);
    return { storage, runId };
  };
  const resume = async (
    hooks: Hooks,
    { storage, runId }: Awaited<ReturnType<typeof pause>>,
    approved = true,
  ) => {
    const traces: Trace[] = [];
    hooks.onTrace((trace) => void (trace.event === "before_tool" && traces.push(trace)));
    const { agent, executed, model } = hookedAgent(hooks, ["Done."], { storage });
    const { text, error } = await answer(agent, isStreamed, runId, "1", { approved });
    return { text, error, executed, read: readRequest(model.requests[0]), traces };
  };

  test("executes the approved call, calls the hooks again and records it once", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("before_tool", ({ toolInput }) => {
      seen.push(toolInput);
      return ask("sure?");
    });
    const { text, executed, traces } = await resume(hooks, await pause());
    expect([text, executed]).toEqual(["Done.", ["rm"]]);
    // Once for Mastra's question whether it needs approval, and once with the decision.
    expect(seen).toEqual([{ command: "rm" }, { command: "rm" }]);
    expect(traces.map(({ entries }) => entries.map(({ approval }) => approval))).toEqual([["approve"]]);
  });

  test("does not execute a declined call, which is recorded once", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ask("sure?"));
    const { executed, traces, read } = await resume(hooks, await pause(), false);
    expect([executed, traces.length]).toEqual([[], 1]);
    expect(read).toContain("rejected by a person");
  });

  test("does not execute what a hook refuses that was added meanwhile", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("changes are frozen"));
    const { executed, read } = await resume(hooks, await pause());
    expect(executed).toEqual([]);
    expect(read).toContain("changes are frozen");
  });

  test("executes free calls behind the approved one, and asks about others", async () => {
    const storage = new InMemoryStore();
    const newHooks = () => {
      const hooks = createHooks();
      hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "ls" ? undefined : ask("sure?")));
      return hooks;
    };
    const calls = ["rm", "ls", "mv"].map((command, index) => ({ ...call(command), id: String(index + 1) }));
    const first = hookedAgent(newHooks(), [{ calls }], { storage });
    const { runId } = await run(first.agent, isStreamed);
    const second = hookedAgent(newHooks(), [], { storage });
    const paused = await answer(second.agent, isStreamed, runId, "1", { approved: true });
    expect([second.executed, paused.finishReason]).toEqual([["rm", "ls"], "suspended"]);
    const third = hookedAgent(newHooks(), ["Done."], { storage });
    const end = await answer(third.agent, isStreamed, runId, "3", { approved: true });
    expect([third.executed, end.text]).toEqual([["mv"], "Done."]);
  });

  test("is not continued if a guard has appeared that would not be called", async () => {
    const hooks = createHooks();
    let isRegistered = false;
    hooks.beforeEachDispatch((event) => {
      if (event !== "pre_compact" || isRegistered) return;
      isRegistered = true;
      hooks.on("pre_compact", () => undefined, { name: "late", source: "project", onError: "block" });
    });
    const { executed, error } = await resume(hooks, await pause());
    expect(executed).toEqual([]);
    expect(error).toContain("late");
  });
});
