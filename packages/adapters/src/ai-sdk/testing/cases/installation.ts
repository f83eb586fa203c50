import { block, createHooks, type Hooks, proceed, stop } from "@tenterhook/engine";
import { stepCountIs, ToolLoopAgent } from "ai";
import { describe, expect, test } from "vitest";
import type { AdapterOptions } from "../../../core/index.ts";
import { withHooks } from "../../with-hooks.ts";
import { oneCall, type Sdk, SdkRig, type Settings } from "../sdk-rig.ts";

/** Agents of which only some extension points are installed: those that hooks needed when it was built. */
export function installationCases(sdk: Sdk): void {
  describe.each([false, true])("an agent with few hooks, streaming: %s,", (isStreamed) => {
    const newRig = (script = oneCall) => new SdkRig(sdk, script, isStreamed);
    const newAgent = (rig: SdkRig, hooks: Hooks, settings: Settings = {}, options: AdapterOptions = {}) => {
      const own = {
        model: rig.model,
        tools: { Shell: rig.newTool() },
        onError: () => undefined,
        ...settings,
      };
      return new ToolLoopAgent(withHooks(own, hooks, { ...rig.options, ...options }) as never);
    };

    test("keeps the program's own settings if it has none, and runs as without", async () => {
      const rig = newRig();
      const prepareCall = (args: Settings) => ({ ...args, prompt: "Prepared" });
      const own = { model: rig.model, tools: { Shell: rig.newTool() }, prepareCall };
      const settings = withHooks(own, createHooks());
      expect(settings.model).toBe(own.model);
      expect(settings.tools).toBe(own.tools);
      expect((await rig.call(new ToolLoopAgent(settings as never))).text).toBe("Done.");
      expect(rig.sent[0]).toContain("Prepared");
    });

    test("refuses a later hook where it is registered, unless all extension points are installed", async () => {
      const hooks = createHooks();
      const rig = newRig();
      newAgent(rig, hooks);
      expect(() => hooks.on("before_tool", () => block("no"), { name: "late" })).toThrow(
        /"late".*not installed/,
      );
      const open = createHooks();
      const agent = newAgent(rig, open, {}, { events: "all" });
      open.on("before_tool", () => block("not on Fridays"));
      await rig.call(agent);
      expect(rig.executed).toEqual([]);
      expect(rig.sent[1]).toContain("not on Fridays");
    });

    test("refuses the run if a source of hooks was added later, and has a guard", async () => {
      const hooks = createHooks();
      const rig = newRig([]);
      const agent = newAgent(rig, hooks);
      let isRegistered = false;
      hooks.beforeEachDispatch((event) => {
        if (event !== "before_tool" || isRegistered) return;
        isRegistered = true;
        hooks.on("before_tool", () => undefined, {
          name: "from-a-file",
          source: "project",
          onError: "block",
        });
      });
      expect((await rig.call(agent)).error?.message).toContain("from-a-file");
      expect(rig.sent).toEqual([]);
    });

    test("accepts later hooks where the extension point is installed, and refuses those that need the stop gate", async () => {
      const hooks = createHooks();
      const rig = newRig();
      const fired: string[] = [];
      hooks.on("before_tool", () => void fired.push("before_tool"));
      const agent = newAgent(rig, hooks);
      hooks.on(
        "after_agent",
        ({ status, run }) => void fired.push(`after_agent ${status} ${run?.stepCount}`),
      );
      hooks.on("after_step", ({ stepIndex }) => void fired.push(`after_step ${stepIndex}`));
      expect(() => hooks.on("before_stop", () => block("never"))).toThrow("not installed");
      expect((await rig.call(agent)).text).toBe("Done.");
      expect(fired).toEqual(["before_tool", "after_step 0", "after_step 1", "after_agent completed 2"]);
      expect(rig.mock.sent.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
        ["Shell"],
        ["Shell"],
      ]);
    });

    test("counts the steps of a run whose steps no hook looks at", async () => {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.on("before_llm", ({ iteration, state }) => void seen.push([iteration, state?.stepCount]));
      hooks.on("before_tool", ({ state }) => void seen.push(state?.currentStep?.toolCalls?.length));
      const rig = newRig();
      const agent = newAgent(rig, hooks);
      expect((await rig.call(agent)).text).toBe("Done.");
      expect(seen).toEqual([[1, 0], 1, [2, 1]]);
    });

    test("ends a run that a hook stops at the last step that its limit allows", async () => {
      const hooks = createHooks();
      hooks.on("before_tool", () => stop("enough"));
      const rig = newRig();
      const { error } = await rig.call(newAgent(rig, hooks, { stopWhen: stepCountIs(1) }));
      expect(error?.message).toContain("enough");
      expect(rig.executed).toEqual([]);
    });

    test("sends the message that a hook on before_agent changed, and the context of a hook on before_tool", async () => {
      const hooks = createHooks();
      hooks.on("before_agent", () => proceed({ message: "Good morning" }));
      hooks.on("before_tool", () => proceed({}, { context: "It is Friday." }));
      const rig = newRig();
      expect((await rig.call(newAgent(rig, hooks))).text).toBe("Done.");
      expect(rig.sent[0]).toContain("Good morning");
      expect(rig.sent[1]).toContain("It is Friday.");
    });

    test("gives the tool a signal that is aborted with the caller's", async () => {
      const hooks = createHooks();
      hooks.on("before_tool", () => undefined);
      const rig = newRig();
      const controller = new AbortController();
      let copied: AbortSignal | undefined;
      const execute = async (_input: unknown, options: { readonly abortSignal: AbortSignal }) => {
        copied = { ...options }.abortSignal;
        controller.abort(new Error("the caller left"));
        return "late";
      };
      const agent = newAgent(rig, hooks, { tools: { Shell: rig.newTool({ execute }) } });
      await rig.call(agent, { prompt: "Hello", abortSignal: controller.signal });
      expect(copied?.aborted).toBe(true);
      expect(rig.sent.length).toBe(1);
    });
  });

  test("settings of one call accept a hook that is registered after them", async () => {
    const hooks = createHooks();
    const rig = new SdkRig(sdk, oneCall);
    const own = { model: rig.model, tools: { Shell: rig.newTool() }, prompt: "Hello" };
    const settings = withHooks(own, hooks);
    hooks.on("before_tool", () => block("not on Fridays"));
    await rig.plainText(settings);
    expect(rig.executed).toEqual([]);
  });
}
