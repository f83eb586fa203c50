import { createHooks, type Hooks } from "@tenterhook/engine";
import type { EventName, Payload } from "@tenterhook/protocol";
import { EVENT_NAMES } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import type { Behaviour, Case, CaseHook } from "./case.ts";
import { DISPATCH_CASES } from "./dispatch-cases.ts";
import { CONTRACT, EVENT_CASES } from "./event-rows.ts";
import { expectations } from "./expectations.ts";
import { optionsFor } from "./host.ts";
import { PAYLOADS } from "./payloads.ts";

/** Every case holds however its hooks are written, and with and without observers. */
const styles = {
  "sync hooks": { call: callSync, observed: false },
  "async hooks": { call: callAsync, observed: false },
  "sync hooks, observed": { call: callSync, observed: true },
  "async hooks, observed": { call: callAsync, observed: true },
};

test("the contract has a row for every event", () => {
  expect(CONTRACT.map((row) => row.event)).toEqual(EVENT_NAMES);
});

describe.each(Object.entries(styles))("%s", (_, { call, observed }) => {
  test.each(EVENT_CASES.map((row) => [row.name, row] as const))("%s", (_name, row) =>
    holds(row, call, observed),
  );
  test.each(DISPATCH_CASES.map((row) => [row.name, row] as const))("%s", (_name, row) =>
    holds(row, call, observed),
  );
});

type Call = (behave: () => unknown) => unknown;

function callSync(behave: () => unknown): unknown {
  return behave();
}

async function callAsync(behave: () => unknown): Promise<unknown> {
  await Promise.resolve();
  return behave();
}

/** Runs a case in process and checks everything that it expects. */
async function holds(row: Case, call: Call, isObserved: boolean): Promise<void> {
  const called: string[] = [];
  const observed: string[] = [];
  const hooks = createHooks({ report: () => undefined });
  if (isObserved) {
    hooks.onTrace(() => undefined);
    hooks.instrument(() => ({ run: (work) => work(), end: () => undefined }));
  }
  for (const hook of row.hooks) {
    add(hooks, row.event, hook, call, hook.mode === "background" ? observed : called);
  }
  const payload = { ...PAYLOADS[row.event], ...row.payload } as Payload<EventName>;
  const dispatch = await hooks.dispatch(row.event, payload, optionsFor(row.host));
  await hooks.drain();

  expectations(row, dispatch, called, observed);
}

function add(hooks: Hooks, event: EventName, hook: CaseHook, call: Call, log: string[]): void {
  const { name, does = {}, tool, pattern, ...options } = hook;
  const matcher =
    tool === undefined && pattern === undefined
      ? undefined
      : { ...(tool && { tool }), ...(pattern && { pattern }) };
  hooks.on(
    event,
    ((ctx: { readonly judging: boolean }) => {
      log.push(name);
      return "hangs" in does ? new Promise(() => undefined) : call(() => behave(does, ctx.judging));
    }) as never,
    { name, ...options, ...(matcher !== undefined && { matcher }) },
  );
}

function behave(does: Behaviour, judging: boolean): unknown {
  if ("throws" in does) throw new Error(does.throws);
  if ("returns" in does) return does.returns;
  if ("hangs" in does) return new Promise(() => undefined);
  return judging && "whenJudging" in does ? does.whenJudging : does.answers;
}
