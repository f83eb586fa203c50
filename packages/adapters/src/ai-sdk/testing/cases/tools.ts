import { block, type HooksOptions, proceed, recover } from "@tenterhook/engine";
import { jsonSchema, stepCountIs } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { oneCall, type Sdk, SdkRig, shell } from "../sdk-rig.ts";

/** Calls of tools in an agent: how they are executed, and what the model reads. */
export function toolCases(sdk: Sdk): void {
  describe.each([false, true])("tools of an agent, streaming: %s,", (isStreamed) => {
    const newRig = (script = oneCall) => new SdkRig(sdk, script, isStreamed);

    test("the model reads the bare reason of a blocked call, as an error", async () => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => block("not on a Friday"));
      expect((await rig.run()).text).toBe("Done.");
      expect(rig.sent[1]).toContain('"output":{"type":"error-text","value":"not on a Friday"}');
    });

    test("the option effectsOf says what a tool does", async () => {
      const script = [{ calls: [shell("rm -fr /", "1", "terminal")] }, { text: "Done." }];
      const run = async (effectsOf?: HooksOptions["effectsOf"]) => {
        const rig = newRig(script);
        rig.hooks.on("before_tool", () => block("no"), { matcher: { effect: "delete" } });
        await rig.text({ tools: { terminal: rig.newTool() }, stopWhen: stepCountIs(3) }, { effectsOf });
        return rig.executed;
      };
      expect([await run(), await run({ terminal: "Shell" })]).toEqual([["rm -fr /"], []]);
    });

    test("the model reads the error of a failed tool as it does without hooks", async () => {
      const script = [{ calls: [shell("fail")] }, { text: "Done." }];
      const [plain, rig] = [newRig(script), newRig(script)];
      const settings = { model: plain.model, tools: { Shell: plain.newTool() }, prompt: "Hello" };
      await plain.plainText({ ...settings, stopWhen: stepCountIs(3) });
      await rig.run();
      expect(rig.sent[1]).toBe(plain.sent[1]);
      expect(rig.sent[1]).toContain("the disk is full");
    });

    test("a withheld result does not pass through the tool's own toModelOutput", async () => {
      const rig = newRig();
      const seen: unknown[] = [];
      const toModelOutput = ({ output }: { output: unknown }) => {
        seen.push(output);
        return { type: "text", value: "from toModelOutput" };
      };
      rig.hooks.on("after_tool", () => block("it is secret"));
      await rig.run({ tools: { Shell: rig.newTool({ toModelOutput }) } });
      expect(rig.sent[1]).toContain("The result was withheld: it is secret");
      expect(seen).toEqual([]);
    });

    test("a changed result passes through the tool's own toModelOutput", async () => {
      const rig = newRig();
      const toModelOutput = ({ output }: { output: unknown }) => ({ type: "text", value: `<${output}>` });
      rig.hooks.on("after_tool", () => proceed({ toolResult: "two files" }));
      await rig.run({ tools: { Shell: rig.newTool({ toModelOutput }) } });
      expect(rig.sent[1]).toContain("<two files>");
    });

    test("a changed input is checked by the tool's schema", async () => {
      const rig = newRig();
      const inputSchema = jsonSchema({ type: "object" }, {
        validate: (value: unknown) =>
          typeof (value as { command?: unknown }).command === "string"
            ? { success: true, value }
            : { success: false, error: new Error("the command must be a text") },
      } as never);
      rig.hooks.on("before_tool", () => proceed({ toolInput: { command: 5 } }));
      await rig.run({ tools: { Shell: rig.newTool({ inputSchema }) } });
      expect(rig.executed).toEqual([]);
      expect(rig.sent[1]).toContain("the command must be a text");
    });

    test("the tool gets the object that its own schema has made, if no hook changes the input", async () => {
      const rig = newRig();
      class Command {
        readonly command = "ls";
      }
      const inputSchema = jsonSchema({ type: "object" }, {
        validate: () => ({ success: true, value: new Command() }),
      } as never);
      const inputs: unknown[] = [];
      const execute = async (input: unknown) => void inputs.push(input);
      await rig.run({ tools: { Shell: rig.newTool({ inputSchema, execute }) } });
      expect(inputs[0]).toBeInstanceOf(Command);
    });

    test("hooks get the same definition of a tool in all steps and runs, also with the schema of a library", async () => {
      const rig = newRig([...oneCall, ...oneCall]);
      const definitions = new Set<unknown>();
      rig.hooks.on("before_llm", ({ tools }) => void definitions.add(tools?.[0]));
      const inputSchema = z.object({ command: z.string() });
      const agent = rig.newAgent({ tools: { Shell: rig.newTool({ inputSchema }) } });
      for (let n = 0; n < 2; n++) expect((await rig.call(agent)).text).toBe("Done.");
      expect([...definitions]).toEqual([expect.objectContaining({ name: "Shell" })]);
    });

    test("on_error recovers a failed tool", async () => {
      const rig = newRig([{ calls: [shell("fail")] }, { text: "Done." }]);
      rig.hooks.on("on_error", ({ phase }) => (phase === "tool" ? recover("an old copy") : undefined));
      await rig.run();
      expect(rig.sent[1]).toContain('"output":{"type":"text","value":"an old copy"}');
    });

    test("parallel calls run at the same time, and their results are in the order of the calls", async () => {
      const rig = newRig([{ calls: [shell("a"), shell("b", "2")] }, { text: "Done." }]);
      const started: string[] = [];
      let release = () => {};
      const both = new Promise<void>((resolve) => {
        release = resolve;
      });
      const execute = async ({ command }: { command: string }) => {
        started.push(command);
        if (started.length === 2) release();
        // A second call that waited for the first one would never begin.
        await both;
        return `ran ${command}`;
      };
      const asked: unknown[] = [];
      rig.hooks.on("before_tool", ({ toolInput }) => void asked.push(toolInput.command));
      await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
      expect({ asked, started }).toEqual({ asked: ["a", "b"], started: ["a", "b"] });
      expect(rig.sent[1]).toMatch(/ran a.*ran b/);
    });

    test("calls of unknown tools and with invalid input reach no hook, and the run goes on", async () => {
      const rig = newRig([
        { calls: [shell("ls", "1", "Unknown"), { id: "2", name: "Shell", input: {} }] },
        { text: "Done." },
      ]);
      const inputSchema = jsonSchema({ type: "object" }, {
        validate: () => ({ success: false, error: new Error("there is no command") }),
      } as never);
      expect((await rig.run({ tools: { Shell: rig.newTool({ inputSchema }) } })).text).toBe("Done.");
      expect(rig.executed).toEqual([]);
      expect(rig.events).toEqual([
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        'after_llm completed ""',
        "after_step 0 completed",
        "before_step 1",
        "before_llm",
        'after_llm completed "Done."',
        "after_step 1 completed",
        "before_stop no_tool_calls",
        "after_agent completed",
      ]);
    });

    test("hooks see the call that the program's own function has repaired", async () => {
      const rig = newRig([{ calls: [shell("ls", "1", "Sheel")] }, { text: "Done." }]);
      const experimental_repairToolCall = async ({ toolCall }: { toolCall: object }) => ({
        ...toolCall,
        toolName: "Shell",
      });
      rig.hooks.on("before_tool", ({ toolName }) => block(`${toolName} is closed`));
      await rig.run({ experimental_repairToolCall });
      expect(rig.executed).toEqual([]);
      expect(rig.sent[1]).toContain("Shell is closed");
    });

    test("an answer that was cut off ends the run, and its calls are not executed", async () => {
      const call = { type: "tool-call", toolCallId: "1", toolName: "Shell", input: '{"command":"ls"}' };
      const rig = newRig([{ content: [call], finishReason: "length" } as never]);
      await rig.run();
      expect(rig.executed).toEqual([]);
      expect(rig.events.at(-1)).toBe("after_agent stopped");
    });

    test("a tool that the client executes is reported, ends the run, and its result begins another one", async () => {
      const rig = newRig([{ calls: [shell("ls", "1", "Ask")] }, { text: "Done." }]);
      const agent = rig.newAgent({ tools: { Ask: rig.newTool({ execute: undefined }) } });
      expect(rig.warnings).toEqual([
        'The tool "Ask" is not executed by the AI SDK: hooks are not called about it.',
      ]);
      const { messages } = await rig.call(agent);
      expect(rig.events.slice(-2)).toEqual(["after_step 0 stopped", "after_agent stopped"]);
      const result = { type: "tool-result", toolCallId: "1", toolName: "Ask" };
      const content = [{ ...result, output: { type: "text", value: "yes" } }];
      const conversation = [{ role: "user", content: "Hello" }, ...messages, { role: "tool", content }];
      expect((await rig.call(agent, { messages: conversation })).text).toBe("Done.");
      expect(rig.events.filter((event) => event.startsWith("after_agent"))).toEqual([
        "after_agent stopped",
        "after_agent completed",
      ]);
    });

    test("a tool that the provider executes is reported, reaches no hook, and the run ends as any other", async () => {
      const call = { toolCallId: "1", toolName: "search", providerExecuted: true };
      const rig = newRig([
        {
          content: [
            { type: "tool-call", ...call, input: '{"query":"x"}' },
            { type: "tool-result", ...call, result: "found" },
            { type: "text", text: "Almost." },
          ],
        },
        { text: "Done." },
      ] as never);
      rig.hooks.on("before_tool", () => block("never"));
      rig.hooks.on("before_stop", ({ finalMessage }) =>
        finalMessage?.content === "Almost." ? block("go on") : undefined,
      );
      const search = {
        type: "provider",
        id: "acme.search",
        name: "search",
        isProviderExecuted: true,
        args: {},
        inputSchema: jsonSchema({ type: "object" }),
        outputSchema: jsonSchema({}),
      };
      expect((await rig.run({ tools: { search } })).text).toBe("Done.");
      expect(rig.warnings).toEqual([
        'The tool "search" is not executed by the AI SDK: hooks are not called about it.',
      ]);
      expect(rig.events.filter((event) => /before_tool|before_stop|after_agent/.test(event))).toEqual([
        "before_stop no_tool_calls",
        "before_stop no_tool_calls",
        "after_agent completed",
      ]);
    });

    test("a result that the provider gives in the next step keeps the run open until then", async () => {
      const call = { toolCallId: "1", toolName: "search", providerExecuted: true };
      const rig = newRig([
        { content: [{ type: "tool-call", ...call, input: "{}" }], finishReason: "tool-calls" },
        {
          content: [
            { type: "tool-result", ...call, result: "found" },
            { type: "text", text: "Done." },
          ],
        },
      ] as never);
      const search = {
        type: "provider",
        id: "acme.search",
        name: "search",
        isProviderExecuted: true,
        supportsDeferredResults: true,
        args: {},
        inputSchema: jsonSchema({ type: "object" }),
        outputSchema: jsonSchema({}),
      };
      expect((await rig.run({ tools: { search } })).text).toBe("Done.");
      expect(rig.events).toEqual([
        "before_agent Hello",
        "before_step 0",
        "before_llm",
        'after_llm completed ""',
        "after_step 0 completed",
        "before_step 1",
        "before_llm",
        'after_llm completed "Done."',
        "after_step 1 completed",
        "before_stop no_tool_calls",
        "after_agent completed",
      ]);
    });
  });
}
