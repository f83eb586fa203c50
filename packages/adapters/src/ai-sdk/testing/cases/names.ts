import { block, proceed } from "@tenterhook/engine";
import { jsonSchema } from "ai";
import { describe, expect, test } from "vitest";
import { type Sdk, SdkRig, shell } from "../sdk-rig.ts";

/** As a parser makes it: `__proto__` is a property of the object. */
const UNUSUAL = '{"command":"ls","constructor":{"a":1},"prototype":[2],"toString":"text"}';
const RESULT = '{"__proto__":{"isAdmin":true},"constructor":"c","prototype":{"x":1}}';

/** Names of tools and of fields that objects have anyway. */
export function nameCases(sdk: Sdk): void {
  describe.each([false, true])("names of every object, streaming: %s,", (isStreamed) => {
    const newRig = (script: ConstructorParameters<typeof SdkRig>[1]) => new SdkRig(sdk, script, isStreamed);

    test.each(["__proto__", "constructor", "toString", "files.read"])(
      "a tool named %s is offered, executed and guarded",
      async (name) => {
        const newRun = () => newRig([{ calls: [shell("ls", "1", name)] }, { text: "Done." }]);
        const tools = (rig: SdkRig) => Object.fromEntries([[name, rig.newTool()]]);
        const free = newRun();
        free.hooks.on("before_tool", () => undefined);
        expect((await free.run({ tools: tools(free) })).text).toBe("Done.");
        expect(free.mock.sent[0]?.tools?.map((tool) => tool.name)).toEqual([name]);
        expect(free.executed).toEqual(["ls"]);
        const guarded = newRun();
        const seen: string[] = [];
        guarded.hooks.on("before_tool", ({ toolName }) => {
          seen.push(toolName);
          return block("closed");
        });
        expect((await guarded.run({ tools: tools(guarded) })).text).toBe("Done.");
        expect([guarded.executed, seen]).toEqual([[], [name]]);
      },
    );

    test("hooks see such fields of an input, the tool gets them, and a changed input keeps them", async () => {
      const inputs: string[] = [];
      const execute = async (input: unknown) => {
        inputs.push(JSON.stringify(input));
        return JSON.parse(RESULT) as unknown;
      };
      const inputSchema = jsonSchema({ type: "object" } as never);
      const run = async (hook: (rig: SdkRig) => void) => {
        const call = { id: "1", name: "Shell", input: JSON.parse(UNUSUAL) as object };
        const rig = newRig([{ calls: [call as never] }, { text: "Done." }]);
        hook(rig);
        const tools = { Shell: rig.newTool({ execute, inputSchema }) };
        expect((await rig.run({ tools })).text).toBe("Done.");
        return rig;
      };
      const seen: string[] = [];
      const rig = await run(({ hooks }) => {
        hooks.on("before_tool", ({ toolInput }) => void seen.push(JSON.stringify(toolInput)));
        hooks.on("after_tool", ({ toolResult }) => void seen.push(JSON.stringify(toolResult)));
      });
      expect([seen, inputs.splice(0)]).toEqual([[UNUSUAL, RESULT], [UNUSUAL]]);
      expect(rig.sent[1]).toContain(RESULT);
      const changed = '{"command":"pwd","__proto__":{"isAdmin":true},"constructor":1}';
      const patched = await run(({ hooks }) => {
        hooks.on("before_tool", () => proceed({ toolInput: JSON.parse(changed) as Record<string, unknown> }));
        hooks.on("after_tool", () => proceed({ toolResult: JSON.parse('{"__proto__":{"seen":1}}') }));
      });
      expect(inputs).toEqual([changed]);
      expect(patched.sent[1]).toContain('{"__proto__":{"seen":1}}');
      expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    });
  });
}
