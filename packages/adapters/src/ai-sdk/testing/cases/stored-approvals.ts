import { ask, block, proceed, type Trace } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { answerRequests, oneCall, type Sdk, SdkRig, type Settings } from "../sdk-rig.ts";

/** A conversation in which a person has approved a call, as a program reads it from its store. */
type Stored = Settings & { readonly messages: readonly { readonly content: unknown }[] };

/** Questions that are asked in one process and answered in another: nothing but the messages is left there. */
export function storedApprovalCases(sdk: Sdk): void {
  describe.each([false, true])("an approval that was stored, streaming: %s,", (isStreamed) => {
    const newRig = (script = oneCall) => new SdkRig(sdk, script, isStreamed);
    const pause = async (isApproved = true): Promise<Stored> => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => ask("is this safe?"));
      return JSON.parse(JSON.stringify(answerRequests(await rig.run(), isApproved))) as Stored;
    };
    const resume = () => {
      const rig = newRig([{ text: "Done." }]);
      const traces: Trace[] = [];
      rig.hooks.onTrace((trace) => void (trace.event === "before_tool" && traces.push(trace)));
      return { rig, traces };
    };

    test.each([true, false])(
      "calls the hooks again and is recorded once, approved: %s",
      async (isApproved) => {
        const stored = await pause(isApproved);
        const { rig, traces } = resume();
        const seen: unknown[] = [];
        rig.hooks.on("before_tool", ({ toolInput }) => {
          seen.push(toolInput);
          return ask("is this safe?");
        });
        expect((await rig.run({}, stored)).text).toBe("Done.");
        expect(rig.executed).toEqual(isApproved ? ["ls"] : []);
        expect(seen).toEqual([{ command: "ls" }]);
        expect(traces.map(({ entries }) => entries.map(({ approval }) => approval))).toEqual([
          [undefined, isApproved ? "approve" : "reject"],
        ]);
        expect(rig.events.at(-1)).toBe("after_agent completed");
      },
    );

    test("does not pass a hook that was added meanwhile", async () => {
      const stored = await pause();
      const { rig } = resume();
      rig.hooks.on("before_tool", () => block("changes are frozen"));
      expect((await rig.run({}, stored)).text).toBe("Done.");
      expect(rig.executed).toEqual([]);
      expect(rig.sent[0]).toContain("changes are frozen");
    });

    test("executes the call although the hook that asked was removed", async () => {
      const stored = await pause();
      const { rig, traces } = resume();
      expect((await rig.run({}, stored)).text).toBe("Done.");
      expect([rig.executed, traces.length]).toEqual([["ls"], 1]);
    });

    test("shows hooks the input that was changed in the store", async () => {
      const stored = JSON.parse(JSON.stringify(await pause()).replaceAll('"ls"', '"rm"')) as Stored;
      const { rig } = resume();
      rig.hooks.on("before_tool", ({ toolInput }) =>
        toolInput.command === "rm" ? block("this would destroy data") : ask("is this safe?"),
      );
      expect((await rig.run({}, stored)).text).toBe("Done.");
      expect(rig.executed).toEqual([]);
      expect(rig.sent[0]).toContain("this would destroy data");
    });

    test("executes the input that a hook changes when the run is resumed", async () => {
      const stored = await pause();
      const { rig } = resume();
      rig.hooks.on("before_tool", () => proceed({ toolInput: { command: "pwd" } }));
      await rig.run({}, stored);
      expect(rig.executed).toEqual(["pwd"]);
    });
  });
}
