import { block, skip } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { oneCall, type Sdk, SdkRig } from "../sdk-rig.ts";

/** Tools that yield values before their result. */
export function preliminaryCases(sdk: Sdk): void {
  describe.each([false, true])("tools that yield preliminary results, streaming: %s,", (isStreamed) => {
    const newRig = () => new SdkRig(sdk, oneCall, isStreamed);
    const yielding = (rig: SdkRig) => ({
      Shell: rig.newTool({
        async *execute({ command }: { command: string }) {
          rig.executed.push(command);
          yield "starting";
          yield `ran ${command}`;
        },
      }),
    });
    const preliminary = (parts: readonly { readonly type: string }[]) =>
      (parts as readonly { type: string; preliminary?: boolean; output?: unknown }[]).flatMap((part) =>
        part.type === "tool-result" ? [[part.preliminary === true, part.output]] : [],
      );

    test("the model reads the last value, and the program sees all of them", async () => {
      const rig = newRig();
      const { parts } = await rig.run({ tools: yielding(rig) });
      expect(rig.events).toContain('after_tool Shell ls completed "ran ls"');
      expect(rig.sent[1]).toContain("ran ls");
      if (isStreamed)
        expect(preliminary(parts)).toEqual([
          [true, "starting"],
          [true, "ran ls"],
          [true, "ran ls"],
          [false, "ran ls"],
        ]);
    });

    test("no value is shown before a hook that may withhold the result has seen it", async () => {
      const rig = newRig();
      rig.hooks.on("after_tool", () => block("it is secret"));
      const { parts } = await rig.run({ tools: yielding(rig) });
      expect(preliminary(parts)).toEqual([]);
      expect(rig.sent[1]).toContain("The result was withheld: it is secret");
      expect(rig.sent[1]).not.toContain("ran ls");
    });

    test("a blocked call yields nothing", async () => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => block("never"));
      const { parts } = await rig.run({ tools: yielding(rig) });
      expect(preliminary(parts)).toEqual([]);
      expect(rig.executed).toEqual([]);
      expect(rig.sent[1]).toContain("never");
    });

    test("a skipped call has the hook's result alone", async () => {
      const rig = newRig();
      rig.hooks.on("before_tool", () => skip("from the cache"));
      await rig.run({ tools: yielding(rig) });
      expect(rig.executed).toEqual([]);
      expect(rig.sent[1]).toContain("from the cache");
    });

    test("a value that an ordinary function returns may be iterated too", async () => {
      const rig = newRig();
      const execute = ({ command }: { command: string }) =>
        (async function* values() {
          yield "starting";
          yield `ran ${command}`;
        })();
      await rig.run({ tools: { Shell: rig.newTool({ execute }) } });
      expect(rig.sent[1]).toContain("ran ls");
      expect(rig.sent[1]).not.toContain("starting");
    });
  });
}
