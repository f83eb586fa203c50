import { block, proceed } from "@tenterhook/engine";
import { hasToolCall, jsonSchema, Output, stepCountIs } from "ai";
import { describe, expect, test } from "vitest";
import { withHooks } from "../../with-hooks.ts";
import { oneCall, type Sdk, SdkRig, shell } from "../sdk-rig.ts";

const runOfOneCall = [
  "before_agent Hello",
  "before_step 0",
  "before_llm",
  'after_llm completed ""',
  "before_tool Shell ls",
  'after_tool Shell ls completed "ran ls"',
  "after_step 0 completed",
  "before_step 1",
  "before_llm",
  'after_llm completed "Done."',
  "after_step 1 completed",
  "before_stop no_tool_calls",
  "after_agent completed",
];

/** Settings of one call and of an agent: the program's own are kept. */
export function settingCases(sdk: Sdk): void {
  describe.each([false, true])("settings of one call, streaming: %s,", (isStreamed) => {
    const newRig = (script = oneCall) => new SdkRig(sdk, script, isStreamed);

    test("fires all events of a run", async () => {
      const rig = newRig();
      expect((await rig.text({ stopWhen: stepCountIs(5) })).text).toBe("Done.");
      expect(rig.events).toEqual(runOfOneCall);
    });

    test("ends after one step as the SDK does, and hooks are asked there", async () => {
      const rig = newRig();
      await rig.text();
      expect(rig.sent.length).toBe(1);
      expect(rig.events.slice(-3)).toEqual([
        "after_step 0 completed",
        "before_stop max_steps",
        "after_agent stopped",
      ]);
    });

    test("calls the model that a hook chose, with hooks that only observe its answer", async () => {
      const rig = newRig();
      const other = newRig([{ text: "The other model's." }]);
      const provider = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
      const own = provider.AI_SDK_DEFAULT_PROVIDER;
      provider.AI_SDK_DEFAULT_PROVIDER = { languageModel: () => other.model };
      try {
        rig.hooks.on("before_llm", () => proceed({ model: "other" }));
        expect((await rig.text()).text).toBe("The other model's.");
        expect(rig.sent).toEqual([]);
      } finally {
        provider.AI_SDK_DEFAULT_PROVIDER = own;
      }
    });

    test("changes the message in every step", async () => {
      const rig = newRig([{ calls: [shell("a")] }, { calls: [shell("b", "2")] }, { text: "Done." }]);
      rig.hooks.on("before_agent", () => proceed({ message: "Good morning" }, { context: "It is Friday." }));
      await rig.text({ stopWhen: stepCountIs(5) });
      for (const sent of rig.sent) {
        expect(sent).toContain("Good morning");
        expect(sent.split("It is Friday.").length).toBe(2);
        expect(sent).not.toContain("Hello");
      }
    });

    test("changes the last message of a conversation, and keeps its other parts", async () => {
      const rig = newRig([{ text: "Done." }]);
      rig.hooks.on("before_agent", ({ message }) => proceed({ message: `${message}!` }));
      const image = { type: "image", image: new Uint8Array([137, 80, 78, 71]), mediaType: "image/png" };
      const messages = [
        { role: "user", content: "First" },
        { role: "assistant", content: "Yes?" },
        { role: "user", content: [{ type: "text", text: "Second" }, image] },
      ];
      await rig.text({ prompt: undefined, messages });
      expect(rig.events[0]).toBe("before_agent Second");
      expect(rig.sent[0]).toContain("Second!");
      expect(rig.sent[0]).toContain("image/png");
      expect(rig.sent[0]).toContain('"First"');
    });

    test("refuses the turn before the model is called", async () => {
      const rig = newRig([]);
      rig.hooks.on("before_agent", () => block("closed today"));
      expect((await rig.text()).error?.message).toContain("closed today");
      expect(rig.events).toEqual(["before_agent Hello", "after_agent stopped"]);
    });

    test("keeps it running with feedback, although the SDK ends after one step", async () => {
      const rig = newRig([{ text: "Almost." }, { text: "Done." }]);
      rig.hooks.on("before_stop", ({ finalMessage }) =>
        finalMessage?.content === "Almost." ? block("run the tests") : undefined,
      );
      expect((await rig.text()).text).toBe("Done.");
      expect(rig.sent[1]).toContain("run the tests");
      expect(rig.sent[1]).not.toContain("keep_running");
    });

    test("a second call with the same settings is another run", async () => {
      const rig = newRig([...oneCall, ...oneCall]);
      const own = { model: rig.model, tools: { Shell: rig.newTool() }, stopWhen: stepCountIs(5) };
      const settings = withHooks({ ...own, prompt: "Hello" }, rig.hooks);
      await rig.plainText(settings);
      await rig.plainText(settings);
      expect(rig.events).toEqual([...runOfOneCall, ...runOfOneCall]);
    });
  });

  describe.each([false, true])("settings of an agent, streaming: %s,", (isStreamed) => {
    const newRig = (script = oneCall) => new SdkRig(sdk, script, isStreamed);

    test("an agent runs any number of times, also at the same time, with events of its own for each run", async () => {
      const rig = newRig(Array.from({ length: 3 }, () => ({ text: "Done." })));
      const runIds = new Set<unknown>();
      rig.hooks.on("after_agent", ({ runId }) => void runIds.add(runId));
      const agent = rig.newAgent();
      await rig.call(agent);
      await Promise.all([rig.call(agent), rig.call(agent)]);
      expect(rig.events.filter((event) => event === "after_agent completed").length).toBe(3);
      expect(runIds.size).toBe(3);
    });

    test("the program's own prepareCall gets its own values, and hooks see what it returns", async () => {
      const rig = newRig([{ text: "Done." }]);
      const Shell = rig.newTool();
      const seen: unknown[] = [];
      const prepareCall = ({ model, tools, ...rest }: { model: unknown; tools: { Shell: unknown } }) => {
        seen.push(model === rig.model, Object.keys(tools), tools.Shell === Shell);
        return { ...rest, model, tools, prompt: "Prepared" };
      };
      await rig.run({ tools: { Shell }, prepareCall });
      expect(seen).toEqual([true, ["Shell"], true]);
      expect(rig.events[0]).toBe("before_agent Prepared");
    });

    test("the program's own prepareStep sees the messages of hooks, and its model has hooks too", async () => {
      const rig = newRig([{ calls: [shell("ls")] }]);
      const other = new SdkRig(sdk, [{ text: "from the other" }], isStreamed);
      rig.hooks.on("before_step", ({ messages, stepIndex }) =>
        stepIndex === 1
          ? proceed({ messages: [...messages, { role: "user", content: "Hurry." }] })
          : undefined,
      );
      rig.hooks.on("after_llm", ({ text }) => (text === "" ? undefined : proceed({ text: `${text}!` })));
      const seen: string[] = [];
      const prepareStep = ({ stepNumber, messages }: { stepNumber: number; messages: unknown }) => {
        seen.push(JSON.stringify(messages));
        return stepNumber === 1 ? { model: other.model } : undefined;
      };
      expect((await rig.run({ prepareStep })).text).toBe("from the other!");
      expect(seen[1]).toContain("Hurry.");
      expect(other.sent[0]).toContain("Hurry.");
    });

    test("messages that a hook changes for a step stay in the following ones", async () => {
      const rig = newRig([{ calls: [shell("a")] }, { calls: [shell("b", "2")] }, { text: "Done." }]);
      rig.hooks.on("before_step", ({ messages, stepIndex }) =>
        stepIndex === 0
          ? proceed({ messages: [...messages, { role: "user", content: "Hurry." }] })
          : undefined,
      );
      await rig.run();
      expect(rig.sent.map((sent) => sent.split("Hurry.").length - 1)).toEqual([1, 1, 1]);
      expect(rig.sent[2]).toMatch(/Hello.*Hurry.*ran a.*ran b/);
    });

    test("the program's own activeTools do not hide the tool that keeps the agent running", async () => {
      const rig = newRig([{ text: "Almost." }, { text: "Done." }]);
      rig.hooks.on("before_stop", ({ finalMessage }) =>
        finalMessage?.content === "Almost." ? block("run the tests") : undefined,
      );
      expect((await rig.run({ activeTools: ["Shell"] })).text).toBe("Done.");
      expect(rig.sent[1]).toContain("run the tests");
      const offered = rig.mock.sent.map(({ tools }) => tools?.map(({ name }) => name));
      expect(offered).toEqual([["Shell"], ["Shell"]]);
    });

    test("the activeTools of the program's prepareStep do not hide it either", async () => {
      const rig = newRig([{ text: "Almost." }, { text: "Done." }]);
      rig.hooks.on("before_stop", ({ finalMessage }) =>
        finalMessage?.content === "Almost." ? block("run the tests") : undefined,
      );
      expect((await rig.run({ prepareStep: () => ({ activeTools: [] }) })).text).toBe("Done.");
      expect(rig.mock.sent.map(({ tools }) => tools ?? [])).toEqual([[], []]);
    });

    test("the program's own limit of steps counts its own steps alone", async () => {
      const rig = newRig([{ text: "Almost." }, { calls: [shell("ls")] }, { text: "Done." }]);
      rig.hooks.on("before_stop", ({ finalMessage }) =>
        finalMessage?.content === "Almost." ? block("run the tests") : undefined,
      );
      expect((await rig.run({ stopWhen: stepCountIs(2) })).text).toBe("Done.");
    });

    test("the program's own condition ends the run, which no hook overrides", async () => {
      const rig = newRig();
      rig.hooks.on("before_stop", () => block("never"));
      const { error } = await rig.run({ stopWhen: [stepCountIs(9), hasToolCall("Shell")] });
      expect(error).toBeUndefined();
      expect(rig.executed).toEqual(["ls"]);
      expect(rig.events.slice(-2)).toEqual(["before_stop max_steps", "after_agent stopped"]);
    });

    test("a structured output is read from the answer that hooks have seen last", async () => {
      const rig = newRig([{ text: '{"city":"Rome"}' }, { text: '{"city":"Paris"}' }]);
      rig.hooks.on("before_stop", ({ finalMessage }) =>
        String(finalMessage?.content).includes("Rome") ? block("not Rome") : undefined,
      );
      rig.hooks.on("after_llm", ({ text }) => proceed({ text: text.replace("Paris", "Oslo") }));
      const schema = jsonSchema<{ city: string }>({
        type: "object",
        properties: { city: { type: "string" } },
      });
      const { output, error } = await rig.run({ output: Output.object({ schema }) });
      expect({ output, error }).toEqual({ output: { city: "Oslo" }, error: undefined });
      expect(rig.mock.sent[0]?.responseFormat).toMatchObject({ type: "json" });
    });

    test("the program's own callbacks are called, and what they throw changes nothing", async () => {
      const rig = newRig();
      const called: string[] = [];
      const callback = (name: string) => () => {
        called.push(name);
        throw new Error("ignored");
      };
      const { text } = await rig.run({ onStepFinish: callback("step"), onFinish: callback("end") });
      expect({ text, called }).toEqual({ text: "Done.", called: ["step", "step", "end"] });
      expect(rig.events).toEqual(runOfOneCall);
    });
  });
}
