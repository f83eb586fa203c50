import { createHooks, type Hooks } from "@tenterhook/engine";
import type { EventName, Payload } from "@tenterhook/protocol";
import { EVENT_NAMES } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import type { Behaviour, Case, CaseHook } from "./case.ts";
import { DECISION_CASES } from "./decisions.ts";
import { CONTRACT, EVENT_CASES } from "./event-rows.ts";
import { expectations } from "./expectations.ts";
import { optionsFor } from "./host.ts";
import { PAYLOADS } from "./payloads.ts";

/** Every case holds however its hooks are written, and whether or not somebody watches. */
const manners = {
  "sync hooks": { manner: syncly, watched: false },
  "async hooks": { manner: asyncly, watched: false },
  "sync hooks, watched": { manner: syncly, watched: true },
  "async hooks, watched": { manner: asyncly, watched: true },
};

test("the contract has a row for every event", () => {
  expect(CONTRACT.map((row) => row.event)).toEqual(EVENT_NAMES);
});

describe.each(Object.entries(manners))("%s", (_, { manner, watched }) => {
  test.each(EVENT_CASES.map((row) => [row.name, row] as const))("%s", (_name, row) =>
    holds(row, manner, watched),
  );
  test.each(DECISION_CASES.map((row) => [row.name, row] as const))("%s", (_name, row) =>
    holds(row, manner, watched),
  );
});

type Manner = (behave: () => unknown) => unknown;

function syncly(behave: () => unknown): unknown {
  return behave();
}

async function asyncly(behave: () => unknown): Promise<unknown> {
  await Promise.resolve();
  return behave();
}

/** Runs a case in process and checks everything that it expects. */
async function holds(row: Case, manner: Manner, isWatched: boolean): Promise<void> {
  const asked: string[] = [];
  const watched: string[] = [];
  const hooks = createHooks({ report: () => undefined });
  if (isWatched) {
    hooks.onTrace(() => undefined);
    hooks.instrument(() => ({ run: (work) => work(), end: () => undefined }));
  }
  for (const hook of row.hooks) {
    add(hooks, row.event, hook, manner, hook.mode === "background" ? watched : asked);
  }
  const payload = { ...PAYLOADS[row.event], ...row.payload } as Payload<EventName>;
  const dispatch = await hooks.dispatch(row.event, payload, optionsFor(row.host));
  await hooks.drain();

  expectations(row, dispatch, asked, watched);
}

function add(hooks: Hooks, event: EventName, hook: CaseHook, manner: Manner, log: string[]): void {
  const { name, does = {}, tool, pattern, ...options } = hook;
  const matcher =
    tool === undefined && pattern === undefined
      ? undefined
      : { ...(tool && { tool }), ...(pattern && { pattern }) };
  hooks.on(
    event,
    ((ctx: { readonly judging: boolean }) => {
      log.push(name);
      return "hangs" in does ? new Promise(() => undefined) : manner(() => behave(does, ctx.judging));
    }) as never,
    { name, ...options, ...(matcher !== undefined && { matcher }) },
  );
}

function behave(does: Behaviour, judging: boolean): unknown {
  if ("throws" in does) throw new Error(does.throws);
  if ("returns" in does) return does.returns;
  if ("hangs" in does) return new Promise(() => undefined);
  return judging && "whenJudging" in does ? does.whenJudging : does.says;
}
