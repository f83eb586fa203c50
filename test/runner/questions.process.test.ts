import { type Script, scriptedModel } from "@tenterhook/agent/testing";
import type { AssignedRun, HookTally } from "@tenterhook/protocol/runs";
import { describe, expect, test } from "vitest";
import { CoordinatorDouble } from "./coordinator-double.ts";
import { RunnerSandbox } from "./runner-sandbox.ts";

const shell = (command: string, id?: string) => ({ toolCalls: [{ name: "Shell", input: { command }, id }] });

async function fleet(script: Script) {
  const coordinator = await CoordinatorDouble.start();
  const sandbox = new RunnerSandbox(coordinator);
  await sandbox.start({ models: { main: scriptedModel(script) } });
  const offer = (more: Partial<AssignedRun> = {}) =>
    coordinator.offer(
      { type: "autonomous", model: "main", tools: ["Shell"] },
      { parameters: { message: "Go." }, ...more },
    );
  const toolEnds = (run: AssignedRun) =>
    coordinator.eventsOf(run).flatMap(({ type, data }) => (type === "tool_end" ? [data] : []));
  return { coordinator, sandbox, offer, toolEnds };
}

describe("a tool hook at the coordinator", () => {
  test("is asked about every call, and a block reaches the model with its reason", async () => {
    const { coordinator, offer, toolEnds } = await fleet([shell("ls"), shell("rm x"), "done"]);
    const asked: unknown[] = [];
    coordinator.toolVerdict = ({ lease_token: _, ...question }) => {
      asked.push(question);
      const { command } = question.tool_input as { command: string };
      return command === "ls"
        ? { action: "continue" }
        : { action: "block", block_reason: "deleting is not for agents" };
    };
    const run = offer({ has_tool_hook: true });
    await coordinator.ending(run);
    expect(asked).toEqual([
      { tool_use_id: "call-1", tool_name: "Shell", tool_input: { command: "ls" } },
      { tool_use_id: "call-2", tool_name: "Shell", tool_input: { command: "rm x" } },
    ]);
    expect(toolEnds(run)).toMatchObject([
      { status: "completed" },
      { status: "blocked", reason: "deleting is not for agents" },
    ]);
  });

  test("may change the input, and judges what hooks on the machine made of it", async () => {
    const { coordinator, sandbox, offer, toolEnds } = await fleet([shell("echo proposed"), "done"]);
    const script = `echo '{"decision": "allow", "modified_input": {"command": "echo rewritten"}}'`;
    sandbox.hook(sandbox.userHooks, "rewriter", { priority: 0 }, script);
    let judged: unknown;
    coordinator.toolVerdict = ({ tool_input }) => {
      judged = tool_input;
      return { action: "continue", tool_input: { command: "echo final" } };
    };
    const run = offer({ has_tool_hook: true });
    await coordinator.ending(run);
    expect(judged).toEqual({ command: "echo rewritten" });
    expect(toolEnds(run)).toMatchObject([{ result: { stdout: "final\n" } }]);
  });

  test("may take long, and is polled until it has decided", async () => {
    const { coordinator, offer, toolEnds } = await fleet([shell("echo hi"), "done"]);
    let asked = 0;
    coordinator.toolVerdict = () => (++asked < 4 ? { action: "wait" } : { action: "continue" });
    const run = offer({ has_tool_hook: true });
    await coordinator.ending(run);
    expect([asked, toolEnds(run)]).toMatchObject([4, [{ status: "completed" }]]);
  });

  test("is asked about each of two calls that have the same id", async () => {
    const { coordinator, offer } = await fleet([shell("ls", "same"), shell("rm x", "same"), "done"]);
    const ids: unknown[] = [];
    coordinator.toolVerdict = ({ tool_use_id }) => {
      ids.push(tool_use_id);
      return { action: "continue" };
    };
    await coordinator.ending(offer({ has_tool_hook: true }));
    expect(new Set(ids).size).toBe(2);
  });

  test("that cannot be asked blocks: on a refusal at once, and until it answers while the coordinator is away", async () => {
    const { coordinator, offer, toolEnds } = await fleet([shell("echo one"), shell("echo two"), "done"]);
    let questions = 0;
    coordinator.intercept = ({ path }) => {
      if (!path.endsWith("/tool-calls")) return undefined;
      questions++;
      return questions === 1 ? 403 : questions < 4 ? "before" : undefined;
    };
    const run = offer({ has_tool_hook: true });
    await coordinator.ending(run);
    expect(toolEnds(run)).toMatchObject([
      { status: "blocked", reason: "the coordinator did not allow it: refused: by_the_test" },
      { status: "completed" },
    ]);
    expect(questions).toBe(4);
  });

  test("of a lost run does not answer, and the tool does not run", async () => {
    const { coordinator, sandbox, offer } = await fleet([shell("touch ran"), "done"]);
    coordinator.intercept = ({ path }) => {
      if (path.endsWith("/tool-calls")) coordinator.lost.add(run.run_id);
      return undefined;
    };
    const run = offer({ has_tool_hook: true, session_id: "ses_lost" });
    await coordinator.report(run, "refused tool-calls");
    const look = coordinator.offer({ command: ["sh", "-c", "ls"] }, { session_id: "ses_lost" });
    expect((await coordinator.ending(look)).body.result_text).toBeNull();
    expect(sandbox.lines.some((line) => line.startsWith("lost"))).toBe(true);
  });
});

describe("a hook on the machine that wants a person to decide", () => {
  const ASK = `echo '{"decision": "ask", "reason": "is this meant?"}'`;

  async function asked() {
    const made = await fleet([shell("echo risky"), "done"]);
    made.sandbox.hook(made.sandbox.userHooks, "careful", {}, ASK);
    const run = made.offer();
    const approval = await made.coordinator.until(() => made.coordinator.approvals[0]);
    return { ...made, run, approval };
  }

  test("asks at the coordinator, with the subject of the question", async () => {
    const { approval } = await asked();
    expect(approval).toMatchObject({
      hook: "careful",
      reason: "is this meant?",
      subject: {
        event: "before_tool",
        tool_name: "Shell",
        tool_input: { command: "echo risky" },
        tool_use_id: "call-1",
        is_editable: true,
      },
    });
  });

  test.each([
    [{ type: "approve" }, { status: "completed", result: { stdout: "risky\n" } }],
    [
      { type: "reject", reason: "not today" },
      { status: "blocked", reason: "not today" },
    ],
    [
      { type: "edit", value: { command: "echo safe" } },
      { status: "completed", result: { stdout: "safe\n" } },
    ],
  ] as const)("acts on %j", async (answer, end) => {
    const { coordinator, run, toolEnds } = await asked();
    coordinator.approvalResponse = answer;
    await coordinator.ending(run);
    expect(toolEnds(run)).toMatchObject([end]);
  });

  test.each(["approve", "reject", "stop"] as const)(
    "has its question counted before the coordinator knows of it, and once, however it ends: %s",
    async (end) => {
      const { coordinator, sandbox, offer } = await fleet([shell("echo risky"), "done"]);
      sandbox.hook(sandbox.userHooks, "careful", {}, ASK);
      const tallies = () =>
        coordinator.eventsOf(run).flatMap(({ type, data }) => (type === "hook_tallies" ? data.tallies : []));
      let countedBefore: unknown;
      coordinator.intercept = ({ path }) => {
        if (path.endsWith("/approvals")) countedBefore ??= tallies();
        return undefined;
      };
      const run = offer();
      await coordinator.until(() => coordinator.approvals[0]);
      expect(countedBefore).toMatchObject([
        { hook: "careful", event: "before_tool", tool: "Shell", outcome: "asked", count: 1 },
      ]);
      if (end === "stop") coordinator.orderStop(run);
      else coordinator.approvalResponse = { type: end };
      await coordinator.ending(run);
      const rows = (tallies() as HookTally[]).filter(({ hook }) => hook === "careful");
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(coordinator.approvals.length);
    },
  );

  test("does not ask twice when the answer to its question got lost", async () => {
    const { coordinator, sandbox, offer } = await fleet([shell("echo risky"), "done"]);
    sandbox.hook(sandbox.userHooks, "careful", {}, ASK);
    let questions = 0;
    coordinator.intercept = ({ path }) =>
      path.endsWith("/approvals") && ++questions === 1 ? "after" : undefined;
    coordinator.approvalResponse = { type: "approve" };
    await coordinator.ending(offer());
    expect(coordinator.approvals.map(({ key }) => key)).toEqual([
      coordinator.approvals[0]?.key,
      coordinator.approvals[0]?.key,
    ]);
  });

  test("does not keep a run from being stopped", async () => {
    const { coordinator, run } = await asked();
    coordinator.orderStop(run);
    expect((await coordinator.ending(run)).kind).toBe("stopped");
  });
});
