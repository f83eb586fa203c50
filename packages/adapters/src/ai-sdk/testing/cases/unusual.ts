import { ask, block, proceed, stop } from "@tenterhook/engine";
import { jsonSchema, ToolLoopAgent } from "ai";
import { describe, expect, test } from "vitest";
import { withHooks } from "../../with-hooks.ts";
import { answerRequests, oneCall, type Sdk, SdkRig, shell } from "../sdk-rig.ts";

/** What programs rarely do: hooks that come late or never answer, shared sets, unusual values. */
export function unusualCases(sdk: Sdk): void {
  describe.each([false, true])("unusual programs, streaming: %s,", (isStreamed) => {
    const newRig = (script: ConstructorParameters<typeof SdkRig>[1] = oneCall) =>
      new SdkRig(sdk, script, isStreamed);
    const refused = { text: "Done." };

    test("a hook that is registered between two steps refuses the next answer before it is shown", async () => {
      const rig = newRig([{ calls: [shell("ls")] }, refused, refused, refused, refused]);
      rig.hooks.on("after_tool", () => {
        rig.hooks.on("after_llm", () => block("too short"));
      });
      const { error, parts } = await rig.run();
      expect(error).toMatchObject({ code: "answer_refused" });
      expect(parts.filter(({ type }) => type === "text-delta")).toEqual([]);
    });

    test("a hook that is registered while an answer is written refuses it", async () => {
      const wait = async () => void rig.hooks.on("after_llm", () => block("too short"));
      const rig = newRig([{ text: "Done.", wait }, refused, refused, refused]);
      rig.hooks.on("before_tool", () => undefined);
      expect((await rig.run()).error).toMatchObject({ code: "answer_refused" });
      expect(rig.events).toContain("after_agent failed");
    });

    test("an answer that such a hook changes is not the one that the model wrote", async () => {
      const wait = async () => void rig.hooks.on("after_llm", () => proceed({ text: "Redacted." }));
      const rig = newRig([{ text: "Done.", wait }]);
      rig.hooks.on("before_tool", () => undefined);
      const { text, error } = await rig.run();
      // What was shown cannot be changed any more.
      if (isStreamed) expect(error?.message).toContain("after_llm");
      else expect(text).toBe("Redacted.");
    });

    test.each(["before_tool", "after_tool"] as const)(
      "the caller's abort ends a run whose %s hook never answers",
      async (event) => {
        const rig = newRig();
        const aborting = new AbortController();
        rig.hooks.on(event, () => {
          queueMicrotask(() => aborting.abort());
          return new Promise<undefined>(() => {});
        });
        const agent = rig.newAgent();
        await rig.call(agent, { prompt: "Hello", abortSignal: aborting.signal });
        expect(rig.executed).toEqual(event === "before_tool" ? [] : ["ls"]);
        expect(rig.mock.sent).toHaveLength(1);
        expect(rig.events.at(-1)).toMatch(/^after_agent stopped/);
      },
    );

    test("the caller's abort ends a call whose before_agent hook never answers", async () => {
      const rig = newRig();
      const aborting = new AbortController();
      rig.hooks.on("before_agent", () => {
        queueMicrotask(() => aborting.abort());
        return new Promise<undefined>(() => {});
      });
      await rig.text({ abortSignal: aborting.signal });
      expect(rig.mock.sent).toEqual([]);
      expect(rig.events.at(-1)).toMatch(/^after_agent stopped/);
    });

    test("an agent that is aborted while before_agent hooks are called does not call the model", async () => {
      const rig = newRig();
      const aborting = new AbortController();
      rig.hooks.on("before_agent", async () => aborting.abort(new Error("the caller left")));
      const { text } = await rig.call(rig.newAgent(), { prompt: "Hello", abortSignal: aborting.signal });
      expect([text ?? "", rig.mock.sent]).toEqual(["", []]);
      expect(rig.events.at(-1)).toMatch(/^after_agent stopped/);
    });

    test("the caller's abort ends a resumed call whose hooks never answer", async () => {
      const rig = newRig([{ calls: [shell("ls")] }]);
      let isResumed = false;
      const aborting = new AbortController();
      rig.hooks.on("before_tool", () => {
        if (!isResumed) return ask("is this safe?");
        queueMicrotask(() => aborting.abort());
        return new Promise<undefined>(() => {});
      });
      const paused = await rig.text();
      isResumed = true;
      const messages = answerRequests(paused, true);
      await rig.text({ prompt: undefined, ...messages, abortSignal: aborting.signal });
      expect([rig.executed, rig.mock.sent.length]).toEqual([[], 1]);
      expect(rig.events.at(-1)).toMatch(/^after_agent stopped/);
    });

    test("hooks that settings are given twice are called once, and again for a tool that was replaced since", async () => {
      const rig = newRig([...oneCall, ...oneCall]);
      const seen: unknown[] = [];
      rig.hooks.on("before_tool", ({ toolUseId }) => void seen.push(toolUseId));
      const own = { model: rig.model, tools: { Shell: rig.newTool() }, onError: () => undefined };
      const once = withHooks(own, rig.hooks, rig.options);
      const twice = withHooks(once, { hooks: rig.hooks }, rig.options);
      await rig.call(new ToolLoopAgent(twice as never));
      expect([seen.splice(0), rig.executed.splice(0)]).toEqual([["1"], ["ls"]]);
      rig.hooks.on("before_tool", () => block("no"));
      const replaced = withHooks({ ...once, tools: { Shell: rig.newTool() } }, rig.hooks, rig.options);
      await rig.call(new ToolLoopAgent(replaced as never));
      expect([seen.length > 0, rig.executed]).toEqual([true, []]);
    });

    test("two agents with one set of hooks run at the same time, and a stop ends one of them", async () => {
      const [one, other] = [newRig(), newRig([{ calls: [shell("rm")] }, { text: "Done." }])];
      const { hooks } = one;
      hooks.on("before_tool", async ({ toolInput }) => (toolInput.command === "rm" ? stop("no") : undefined));
      const settings = { model: other.model, tools: { Shell: other.newTool() } };
      const results = await Promise.all([one.run(), one.run(settings)]);
      expect(results.map(({ text, error }) => text ?? (error as { code?: string }).code)).toEqual([
        "Done.",
        "run_stopped",
      ]);
      expect([one.executed, other.executed]).toEqual([["ls"], []]);
    });

    test("a tool that returns an async iterable has its last value as the result, for hooks too", async () => {
      const rig = newRig();
      const results: unknown[] = [];
      rig.hooks.on("after_tool", ({ toolResult }) => void results.push(toolResult));
      const execute = () => ({
        async *[Symbol.asyncIterator]() {
          yield "half";
          yield "whole";
        },
      });
      await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
      expect(results).toEqual(["whole"]);
      expect(rig.sent[1]).toContain('"whole"');
      expect(rig.sent[1]).not.toContain('"half"');
    });

    test("settings and tools that are frozen get hooks", async () => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => block("no"));
      const tools = Object.freeze({ Shell: Object.freeze(rig.newTool() as object) });
      const { text } = await rig.run(Object.freeze({ tools }));
      expect([text, rig.executed]).toEqual(["Done.", []]);
    });

    test("a schema that the program changes in place is sent as it is, and hooks see its first form", async () => {
      const schema = { type: "object", properties: { command: { type: "string" } } };
      const rig = newRig([{ text: "One." }, { text: "Two." }]);
      const seen: string[] = [];
      rig.hooks.on("before_llm", ({ tools = [] }) => {
        seen.push(JSON.stringify(tools[0]?.inputSchema));
        return proceed({ tools: tools.filter(({ name }) => name === "Shell") });
      });
      const inputSchema = jsonSchema(schema as never);
      const agent = rig.newAgent({ tools: { Shell: rig.newTool({ inputSchema }), Other: rig.newTool() } });
      await rig.call(agent);
      const first = JSON.stringify(schema);
      schema.properties.command.type = "number";
      await rig.call(agent);
      expect(seen).toEqual([first, first]);
      const sent = rig.mock.sent.map(({ tools }) => tools?.map((tool) => tool.inputSchema));
      expect(sent).toEqual([[schema], [schema]]);
    });

    test("an input that is nested 500 levels deep is changed by a hook and executed", async () => {
      const deep = JSON.parse(`${"[".repeat(500)}1${"]".repeat(500)}`) as unknown;
      const call = { id: "1", name: "Shell", input: { command: "ls", deep } };
      const rig = newRig([{ calls: [call] }, { text: "Done." }]);
      rig.hooks.on("before_tool", ({ toolInput }) =>
        proceed({ toolInput: { ...toolInput, command: "pwd" } }),
      );
      expect((await rig.run()).text).toBe("Done.");
      expect(rig.executed).toEqual(["pwd"]);
    });
  });
}
