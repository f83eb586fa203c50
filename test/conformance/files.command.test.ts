import { join } from "node:path";
import { EVENT_NAMES, type EventName, eventRow, type Payload } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { FileHooksSandbox } from "../file-hooks/file-hooks-sandbox.ts";
import type { Case } from "./case.ts";
import { differences } from "./differences.ts";
import { DISPATCH_CASES } from "./dispatch-cases.ts";
import { EVENT_CASES } from "./event-rows.ts";
import { optionsFor } from "./host.ts";
import { PAYLOADS } from "./payloads.ts";
import { canBeWritten, lines, writeHook } from "./written-hooks.ts";

// The engine's rows once more, with every hook a HOOK.md and a real shell script.

const rows = [...EVENT_CASES, ...DISPATCH_CASES].filter(canBeWritten);

test("what every agent event means to a block, a stop and a failure is tested as files too", () => {
  for (const event of EVENT_NAMES.filter((name) => eventRow(name).layer === "agent")) {
    expect(rows.filter((row) => row.event === event).length).toBeGreaterThanOrEqual(5);
  }
});

describe("as files", () => {
  test.each(rows.map((row) => [row.name, row] as const))("%s", (_name, row) => holds(row));
});

async function holds(row: Case): Promise<void> {
  const sandbox = new FileHooksSandbox();
  const log = sandbox.write(join(sandbox.root, "asked"), "");
  const observed = sandbox.write(join(sandbox.root, "observed"), "");
  row.hooks.forEach((hook, index) => {
    writeHook(sandbox, index, row.event, hook, hook.mode === "background" ? observed : log);
  });
  const hooks = sandbox.hooks();
  const payload = { ...PAYLOADS[row.event], ...row.payload, workDir: sandbox.project } as Payload<EventName>;
  const dispatch = await hooks.dispatch(row.event, payload, optionsFor(row.host));
  await hooks.drain();
  expect(differences(row, dispatch, lines(log), lines(observed), { hook_threw: "hook_exit" })).toEqual([]);
}
