import { createHooks, type Hooks, stop } from "@tenterhook/engine";
import { generateText } from "ai";
import { describe, expect, test } from "vitest";
import { hookTools } from "../../index.ts";
import type { MockAnswer } from "../mock-model.ts";
import { oneCall, type Sdk, SdkRig, shell } from "../sdk-rig.ts";

/** Counts tool calls in the bag of metadata, and records the counts. */
function count(hooks: Hooks, counts: unknown[]): void {
  hooks.on("before_tool", ({ metadata }) => {
    metadata.calls = Number(metadata.calls ?? 0) + 1;
    counts.push(metadata.calls);
  });
}

/** A promise, and the function that resolves it. */
function createEvent() {
  let happen: () => void = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
}

/** Runs that begin in a tool of another one. */
export function nestedCases(sdk: Sdk): void {
  describe.each([false, true])("a run inside a tool, streaming: %s,", (isStreamed) => {
    const newRig = (script: readonly MockAnswer[] = oneCall) => new SdkRig(sdk, script, isStreamed);

    test("of one call of the SDK has the bag of the run around it, also with other hooks", async () => {
      const counts: unknown[] = [];
      const [rig, inner] = [newRig(), newRig()];
      count(rig.hooks, counts);
      count(inner.hooks, counts);
      const execute = async () => (await inner.text()).text;
      await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
      expect(counts).toEqual([1, 2]);
    });

    test("whose tools alone have hooks has that bag too, and its stop ends the run around it", async () => {
      const [rig, inner] = [newRig(), newRig()];
      count(rig.hooks, []);
      const hooks = createHooks();
      hooks.on("before_tool", ({ metadata }) => (metadata.calls === 1 ? stop("enough") : undefined));
      const tools = hookTools({ Shell: inner.newTool() }, hooks);
      const execute = () => generateText({ model: inner.model, tools, prompt: "Help" });
      const { error } = await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
      expect(error).toMatchObject({ code: "run_stopped" });
      expect([inner.executed, rig.sent.length]).toEqual([[], 1]);
    });

    test("whose model is answering is aborted when a hook stops the run around it", async () => {
      const { happen: answer, happened: isAnswering } = createEvent();
      const wait = ({ abortSignal }: { abortSignal?: AbortSignal | undefined }) =>
        new Promise<void>((_, reject) => {
          abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
          answer();
        });
      const rig = newRig([{ calls: [shell("delegate"), shell("stop", "2")] }, { text: "Done." }]);
      const inner = newRig([{ text: "Half", wait }]);
      rig.hooks.on("after_tool", ({ toolInput }) =>
        toolInput.command === "stop" ? stop("enough") : undefined,
      );
      let helping: ReturnType<typeof rig.call> | undefined;
      const execute = async ({ command }: { command: string }) => {
        if (command === "stop") return isAnswering;
        helping = rig.call(rig.newAgent({ model: inner.model }), { prompt: "Help" });
        return (await helping).text;
      };
      const { error } = await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
      expect(error).toMatchObject({ code: "run_stopped" });
      expect((await helping)?.error).toBe(error);
      expect(rig.events).toContain('after_llm stopped ""');
    });

    test("that outlives the run around it keeps the bag, and is not stopped by its end", async () => {
      const { happen: end, happened: hasEnded } = createEvent();
      const counts: unknown[] = [];
      const rig = newRig();
      const inner = newRig([{ calls: [shell("a")] }, { calls: [shell("b", "2")] }, { text: "All done." }]);
      count(rig.hooks, counts);
      const tools = { Shell: inner.newTool({ execute: () => hasEnded }) };
      let helping: ReturnType<typeof rig.call> | undefined;
      const execute = () => {
        helping = rig.call(rig.newAgent({ model: inner.model, tools }), { prompt: "Help" });
        return "started";
      };
      expect((await rig.run({ tools: { Shell: rig.newTool({ execute }) } })).text).toBe("Done.");
      end();
      expect((await helping)?.text).toBe("All done.");
      expect(counts).toEqual([1, 2, 3]);
    });
  });

  test("a stream that a tool has begun, and that is read elsewhere, has the bag of the run around it", async () => {
    const counts: unknown[] = [];
    const [rig, inner] = [new SdkRig(sdk, oneCall), new SdkRig(sdk, oneCall)];
    count(rig.hooks, counts);
    count(inner.hooks, counts);
    let stream: { readonly fullStream: AsyncIterable<unknown> } | undefined;
    const execute = async () => {
      stream = (await inner.newAgent().stream({ prompt: "Help" })) as never;
      return "started";
    };
    await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
    for await (const part of stream?.fullStream ?? []) void part;
    expect(inner.executed).toEqual(["ls"]);
    expect(counts).toEqual([1, 2]);
  });
}
