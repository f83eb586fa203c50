import { ask, block, proceed, stop, type Trace } from "@tenterhook/engine";
import { stepCountIs } from "ai";
import { describe, expect, test } from "vitest";
import { hookTools } from "../../index.ts";
import { answerRequests, oneCall, type Sdk, SdkRig, shell } from "../sdk-rig.ts";

/** Questions to a person: through the SDK's own approval, and resumed in another run. */
export function approvalCases(sdk: Sdk): void {
  describe.each([false, true])("approval, streaming: %s,", (isStreamed) => {
    const newRig = (script = oneCall) => new SdkRig(sdk, script, isStreamed);
    const traceTools = (rig: SdkRig) => {
      const traces: Trace[] = [];
      rig.hooks.onTrace((trace) => void (trace.event === "before_tool" && traces.push(trace)));
      return traces;
    };

    test("hooks are called again in the run that resumes, and the call is recorded once", async () => {
      const rig = newRig();
      const traces = traceTools(rig);
      let calls = 0;
      rig.hooks.on("before_tool", () => {
        calls++;
        return ask("is this safe?");
      });
      const agent = rig.newAgent();
      const paused = await rig.call(agent);
      expect({ executed: rig.executed, traces: traces.length }).toEqual({ executed: [], traces: 0 });
      const { text } = await rig.call(agent, answerRequests(paused, true));
      expect({ text, executed: rig.executed, calls }).toEqual({ text: "Done.", executed: ["ls"], calls: 2 });
      expect(traces.length).toBe(1);
    });

    test("a call that a person rejects is recorded once, and the model reads the reason", async () => {
      const rig = newRig();
      const traces = traceTools(rig);
      rig.hooks.on("before_tool", () => ask("is this safe?"));
      const agent = rig.newAgent();
      await rig.call(agent, answerRequests(await rig.call(agent), false, "not today"));
      expect(rig.executed).toEqual([]);
      expect(rig.sent[1]).toContain("not today");
      expect(rig.events).toContain("after_tool_failure Shell ls blocked not today");
      expect(traces.length).toBe(1);
    });

    test("a hook that blocks when the run is resumed wins over the person", async () => {
      const rig = newRig();
      let isFrozen = false;
      rig.hooks.on("before_tool", () => (isFrozen ? block("changes are frozen") : ask("is this safe?")));
      const agent = rig.newAgent();
      const paused = await rig.call(agent);
      isFrozen = true;
      expect((await rig.call(agent, answerRequests(paused, true))).text).toBe("Done.");
      expect(rig.executed).toEqual([]);
      expect(rig.sent[1]).toContain("changes are frozen");
    });

    test("a hook that stops when the run is resumed ends it", async () => {
      const rig = newRig();
      let isFrozen = false;
      rig.hooks.on("before_tool", () => (isFrozen ? stop("enough") : ask("is this safe?")));
      const agent = rig.newAgent();
      const paused = await rig.call(agent);
      isFrozen = true;
      const { error } = await rig.call(agent, answerRequests(paused, true));
      expect(error).toMatchObject({ code: "run_stopped" });
      expect({ executed: rig.executed, requests: rig.sent.length }).toEqual({ executed: [], requests: 1 });
      expect(rig.events.at(-1)).toBe("after_agent stopped");
    });

    test("free calls beside the question are executed once, before the run is resumed", async () => {
      const rig = newRig([{ calls: [shell("a"), shell("b", "2"), shell("c", "3")] }, { text: "Done." }]);
      rig.hooks.on("before_tool", ({ toolInput }) => (toolInput.command === "b" ? ask("sure?") : undefined));
      const agent = rig.newAgent();
      const paused = await rig.call(agent);
      expect(rig.executed).toEqual(["a", "c"]);
      await rig.call(agent, answerRequests(paused, true));
      expect(rig.executed).toEqual(["a", "c", "b"]);
      expect(rig.sent[1]).toMatch(/ran a/);
    });

    test("the tool's own needsApproval is asked about the input that hooks changed", async () => {
      const rig = newRig();
      const asked: unknown[] = [];
      const needsApproval = async (input: unknown) => {
        asked.push(input);
        return true;
      };
      rig.hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
      const agent = rig.newAgent({ tools: { Shell: rig.newTool({ needsApproval }) } });
      const paused = await rig.call(agent);
      expect({ asked, executed: rig.executed }).toEqual({ asked: [{ command: "pwd" }], executed: [] });
      await rig.call(agent, answerRequests(paused, true));
      expect(rig.executed).toEqual(["pwd"]);
    });

    test("the tool's own needsApproval that throws fails the run, and after_agent is fired", async () => {
      const rig = newRig();
      const needsApproval = async () => {
        throw new Error("no policy");
      };
      const { error } = await rig.run({ tools: { Shell: rig.newTool({ needsApproval }) } });
      expect(error?.message).toContain("no policy");
      expect(rig.executed).toEqual([]);
      expect(rig.events.slice(-3)).toEqual([
        "after_step 0 failed",
        "agent_failed no policy",
        "after_agent failed",
      ]);
    });

    test("the option approve decides in this process, and the run does not pause", async () => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => ask("is this safe?"));
      const questions: string[] = [];
      const approve = ({ reason }: { readonly reason: string }) => {
        questions.push(reason);
        return { type: "approve" } as const;
      };
      const { text } = await rig.call(rig.newAgent({}, { approve }));
      expect({ text, executed: rig.executed, questions }).toEqual({
        text: "Done.",
        executed: ["ls"],
        questions: ["is this safe?"],
      });
    });

    test("the settings of one call pause and resume as an agent does", async () => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => ask("is this safe?"));
      const stopWhen = stepCountIs(5);
      const paused = await rig.text({ stopWhen });
      expect(rig.events.at(-1)).toBe("after_agent stopped");
      await rig.text({ stopWhen, prompt: undefined, ...answerRequests(paused, true) });
      expect(rig.executed).toEqual(["ls"]);
      expect(rig.events.at(-1)).toBe("after_agent completed");
    });
  });

  test("an approval that nobody asked for does not replace the question of a hook in hookTools", async () => {
    const rig = new SdkRig(sdk, oneCall);
    rig.hooks.on("before_tool", () => ask("is this safe?"));
    const ignoredEvents = ["before_agent", "before_step", "before_llm", "after_llm", "after_step"] as const;
    const tools = hookTools({ Shell: rig.newTool() }, rig.hooks, {
      ...rig.options,
      ignoredEvents: [...ignoredEvents, "before_stop", "agent_failed", "after_agent"],
    });
    // In version 7 this replaces the `needsApproval` of every tool.
    const settings = { toolApproval: async () => "approved", stopWhen: stepCountIs(3) };
    await rig.plainText({ model: rig.model, tools, prompt: "Hello", ...settings });
    expect(rig.executed).toEqual([]);
  });
}
