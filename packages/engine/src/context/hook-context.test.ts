import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createHooks } from "../index.ts";

test("a context prints its event and payload, and nothing that the run shares", async () => {
  const printed: string[] = [];
  const hooks = createHooks();
  hooks.on("before_tool", (context) => {
    context.metadata.secret = "of another hook";
    printed.push(inspect(context), JSON.stringify(context), Object.keys(context).join());
  });
  await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: "ls" } });
  expect(printed).toEqual([
    "BeforeToolContext {\n  event: 'before_tool',\n  payload: { toolName: 'Shell', toolInput: { command: 'ls' } }\n}",
    '{"event":"before_tool","toolName":"Shell","toolInput":{"command":"ls"}}',
    "event",
  ]);
});
