import { block, type Context, createHooks, type Hooks, proceed, type TraceEntry } from "@tenterhook/engine";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

// What must hold for any set of hooks, not only for those of other tests.

interface Generated {
  readonly priority: number;
  readonly mode: "sync" | "background";
  readonly isAsync: boolean;
  readonly does: "nothing" | "change" | "block" | "throw";
  readonly onError: "block" | "continue";
  readonly pattern: "none" | "hit" | "miss" | "changed";
  readonly rejudge: boolean;
  /** A middleware: it answers after the hooks behind it have run. */
  readonly wraps: boolean;
}

const hook: fc.Arbitrary<Generated> = fc.record({
  priority: fc.integer({ min: -3, max: 3 }),
  mode: fc.constantFrom("sync", "sync", "sync", "background"),
  isAsync: fc.boolean(),
  does: fc.constantFrom("nothing", "nothing", "change", "change", "block", "throw"),
  onError: fc.constantFrom("block", "continue"),
  pattern: fc.constantFrom("none", "none", "hit", "miss", "changed"),
  rejudge: fc.boolean(),
  wraps: fc.boolean(),
});

const PATTERNS = { hit: "start", miss: "nowhere", changed: "by-\\d" };

/** Registers generated hooks; `calls` gets every call as `name`, or as `name!` for a second judgement. */
function build(generated: readonly Generated[], calls: string[], watched = false): Hooks {
  const hooks = createHooks({ report: () => undefined });
  if (watched) hooks.onHookEvent(() => undefined);
  for (const [index, { does, isAsync, pattern, wraps, ...options }] of generated.entries()) {
    const answer = (input: unknown) => {
      if (does === "throw") throw new Error(`h${index} failed`);
      if (does === "block") return block(`h${index} refuses`);
      return does === "change" ? proceed({ toolInput: { command: `${input} by-${index}` } }) : undefined;
    };
    const handle = (ctx: Context<"before_tool">) => {
      calls.push(ctx.judging ? `h${index}!` : `h${index}`);
      const { command } = ctx.toolInput as { command: string };
      return isAsync ? Promise.resolve().then(() => answer(command)) : answer(command);
    };
    const middleware = (ctx: Context<"before_tool">, next: () => unknown) => {
      calls.push(ctx.judging ? `h${index}!` : `h${index}`);
      const { command } = ctx.toolInput as { command: string };
      const inner = next();
      return isAsync || inner instanceof Promise
        ? Promise.resolve(inner).then(() => answer(command))
        : answer(command);
    };
    const registered = {
      name: `h${index}`,
      ...options,
      ...(pattern !== "none" && { matcher: { pattern: PATTERNS[pattern] } }),
    };
    if (wraps && options.mode === "sync") hooks.use("before_tool", middleware as never, registered);
    else hooks.on("before_tool", handle, registered);
  }
  return hooks;
}

const payload = { toolName: "Shell", toolInput: { command: "start" } };
const sets = fc.array(hook, { maxLength: 12 });
/** Hooks that let the call as it comes pass: their guards refuse only what another of them has changed. */
const passingSets = fc.array(
  hook.map((each): Generated => {
    if (each.does === "throw") return { ...each, does: "nothing" };
    return each.does === "block" ? { ...each, pattern: "changed" } : each;
  }),
  { maxLength: 6 },
);

async function run(generated: readonly Generated[], watched = false) {
  const calls: string[] = [];
  const hooks = build(generated, calls, watched);
  const dispatch = await hooks.dispatch("before_tool", payload);
  const { trace } = dispatch;
  await hooks.drain();
  return { calls, dispatch, trace, hooks };
}

describe("for any set of hooks", () => {
  test("the order is total and stable: by priority, ties by registration", () =>
    fc.assert(
      fc.asyncProperty(sets, async (generated) => {
        const quiet = generated.map((each) => ({
          ...each,
          does: "nothing" as const,
          pattern: "none" as const,
        }));
        const { calls, hooks } = await run(quiet);
        const names = quiet.map((each, index) => ({ ...each, index }));
        const expected = names
          .filter(({ mode }) => mode === "sync")
          .sort((a, b) => b.priority - a.priority || a.index - b.index)
          .map(({ index }) => `h${index}`);
        expect(calls.slice(0, expected.length)).toEqual(expected);
        const listed = hooks.list("before_tool").map(({ name }) => name);
        expect(new Set(listed).size).toBe(generated.length);
      }),
    ));

  test("a background hook never changes an outcome", () =>
    fc.assert(
      fc.asyncProperty(sets, async (generated) => {
        const all = await run(generated);
        // Names are given by position, so the background hooks are made inert instead of removed.
        const without = await run(
          generated.map((each) => (each.mode === "background" ? { ...each, does: "nothing" } : each)),
        );
        expect(all.dispatch.outcome).toEqual(without.dispatch.outcome);
        expect(all.dispatch.payload).toEqual(without.dispatch.payload);
      }),
    ));

  test("the changes in the trace, folded in order, give the final value", () =>
    fc.assert(
      fc.asyncProperty(sets, async (generated) => {
        const { trace, dispatch } = await run(generated);
        const folded = trace.entries.reduce<Record<string, unknown>>(fold, { ...trace.original });
        expect(folded).toEqual(dispatch.payload);
        expect(trace.final).toEqual(dispatch.payload);
      }),
    ));

  test("no hook is called twice except for one second judgement, and that only after a later change", () =>
    fc.assert(
      fc.asyncProperty(sets, async (generated) => {
        const { calls, trace } = await run(generated);
        expect(new Set(calls).size).toBe(calls.length);
        const judged = calls.filter((name) => name.endsWith("!"));
        if (judged.length > 0) expect(trace.entries.some(({ changes }) => changes !== undefined)).toBe(true);
        for (const name of judged) expect(generated[Number(name.slice(1, -1))]?.rejudge).toBe(true);
      }),
    ));

  test("a refusing sync guard that matches the final value is never skipped", () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(sets, passingSets), async (generated) => {
        const { dispatch } = await run(generated);
        if (dispatch.action !== "go_on") return;
        const { command } = dispatch.payload.toolInput as { command: string };
        for (const { mode, does, pattern, rejudge } of generated) {
          if (mode === "background" || does !== "block" || !rejudge) continue;
          const matches = pattern === "none" || new RegExp(PATTERNS[pattern]).test(command);
          expect(matches).toBe(false);
        }
      }),
      { numRuns: 300 },
    ));

  test("nothing depends on whether hooks are sync or async, watched or not, fresh or hot", () =>
    fc.assert(
      fc.asyncProperty(sets, async (generated) => {
        const asGiven = await run(generated);
        const others = await Promise.all([
          run(generated, true),
          run(generated.map((each) => ({ ...each, isAsync: true }))),
          run(generated.map((each) => ({ ...each, isAsync: false }))),
        ]);
        for (const other of others) {
          expect(other.dispatch.outcome).toEqual(asGiven.dispatch.outcome);
          expect(other.dispatch.payload).toEqual(asGiven.dispatch.payload);
          expect(verdicts(other.trace.entries)).toEqual(verdicts(asGiven.trace.entries));
        }
        const calls: string[] = [];
        const hot = build(generated, calls);
        for (let n = 0; n < 100; n++) await hot.dispatch("before_tool", payload);
        const last = await hot.dispatch("before_tool", payload);
        expect(last.outcome).toEqual(asGiven.dispatch.outcome);
        expect(verdicts(last.trace.entries)).toEqual(verdicts(asGiven.trace.entries));
        await hot.drain();
      }),
      { numRuns: 40 },
    ));
});

function fold(value: Record<string, unknown>, { changes }: Readonly<TraceEntry>): Record<string, unknown> {
  for (const { field, before, after } of changes ?? []) {
    expect(value[field]).toEqual(before);
    value = { ...value, [field]: after };
  }
  return value;
}

function verdicts(entries: readonly Readonly<TraceEntry>[]): string[] {
  return entries.map(({ hook: name, pass, verdict }) => `${name} ${pass} ${verdict}`);
}
