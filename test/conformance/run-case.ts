import { createHooks, type Hooks, type MatcherLike } from "@tenterhook/engine";
import type { EventName, Payload } from "@tenterhook/protocol";
import type { Behaviour, Case, CaseHook } from "./case.ts";
import { differences } from "./differences.ts";
import { optionsFor } from "./host.ts";
import { PAYLOADS } from "./payloads.ts";

type Call = (behave: () => unknown) => unknown;

/** How the hooks of a case are written, and whether there are observers. */
export interface Style {
  readonly call: Call;
  readonly observed: boolean;
}

/** Every case is true in each of these. */
export const STYLES: Readonly<Record<string, Style>> = {
  "sync hooks": { call: callSync, observed: false },
  "async hooks": { call: callAsync, observed: false },
  "sync hooks, observed": { call: callSync, observed: true },
  "async hooks, observed": { call: callAsync, observed: true },
};

/** Runs a case in process, and returns what differs from what it expects. */
export async function runCase(row: Case, style: Style): Promise<readonly string[]> {
  const called: string[] = [];
  const observed: string[] = [];
  const hooks = createHooks({ report: () => undefined });
  if (style.observed) {
    hooks.onTrace(() => undefined);
    hooks.instrument(() => ({ run: (work) => work(), end: () => undefined }));
  }
  for (const hook of row.hooks) {
    add(hooks, row.event, hook, style.call, hook.mode === "background" ? observed : called);
  }
  const payload = { ...PAYLOADS[row.event], ...row.payload } as Payload<EventName>;
  const dispatch = await hooks.dispatch(row.event, payload, optionsFor(row.host));
  await hooks.drain();
  return differences(row, dispatch, called, observed);
}

function callSync(behave: () => unknown): unknown {
  return behave();
}

async function callAsync(behave: () => unknown): Promise<unknown> {
  await Promise.resolve();
  return behave();
}

function add(hooks: Hooks, event: EventName, hook: CaseHook, call: Call, log: string[]): void {
  const { name, does = {}, tool, pattern, effect, ...options } = hook;
  const matcher =
    tool === undefined && pattern === undefined && effect === undefined
      ? undefined
      : ({ ...(tool && { tool }), ...(pattern && { pattern }), ...effect } as MatcherLike);
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
