import { block, createHooks, type Hooks, proceed, skip } from "@tenterhook/engine";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

// Whatever middlewares do with `next`, the guards behind them decide about the value that is used.

type Next = (patch?: object) => unknown;
type Step = "next" | "next with a change" | "next with a wrong change" | "await" | "pause";
type End = "nothing" | "outcome" | "change" | "throw" | "skip" | "never";

interface Wrapper {
  readonly type: "middleware";
  readonly isAsync: boolean;
  /** Errors of `next` do not end it. */
  readonly swallows: boolean;
  readonly steps: readonly Step[];
  readonly end: End;
  readonly onError: "block" | "continue";
}

interface Guard {
  readonly type: "guard";
  readonly isAsync: boolean;
  readonly refuses: "always" | "a change" | "never";
  readonly by: "block" | "throw";
}

type Validate = "none" | "accepts" | "refuses";

const wrapper: fc.Arbitrary<Wrapper> = fc
  .record({
    type: fc.constant("middleware" as const),
    isAsync: fc.boolean(),
    swallows: fc.boolean(),
    steps: fc.array(
      fc.constantFrom<Step[]>("next", "next with a change", "next with a wrong change", "await", "pause"),
      { maxLength: 4 },
    ),
    end: fc.constantFrom<End[]>("nothing", "nothing", "outcome", "change", "throw", "skip", "never"),
    onError: fc.constantFrom<Wrapper["onError"][]>("block", "continue", "continue"),
  })
  // To skip the call before the hooks behind have been asked is an answer that a hook may give.
  .map((made) => (made.end === "skip" ? { ...made, steps: ["next", ...made.steps] } : made));

const guard: fc.Arbitrary<Guard> = fc.record({
  type: fc.constant("guard" as const),
  isAsync: fc.boolean(),
  refuses: fc.constantFrom<Guard["refuses"][]>("always", "a change", "never", "never"),
  by: fc.constantFrom<Guard["by"][]>("block", "throw"),
});

const layers = fc.array(fc.oneof(wrapper, guard), { minLength: 1, maxLength: 5 });
const host = fc.record({
  check: fc.constantFrom<Validate[]>("none", "accepts", "refuses"),
  isAsync: fc.boolean(),
  hasSignal: fc.boolean(),
  isWatched: fc.boolean(),
});

const payload = { toolName: "Shell", toolInput: { command: "start" } };
const CHANGE = { toolInput: { command: "changed" } };

/** Longer than all that is not waiting for a timeout. */
async function later(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await undefined;
}

function useMiddleware(hooks: Hooks, { isAsync, swallows, steps, end, onError }: Wrapper, name: string) {
  const take = (step: Step, next: Next): unknown => {
    if (step === "next") return next();
    if (step === "next with a change") return next(CHANGE);
    return step === "next with a wrong change" ? next({ bogus: 1 }) : undefined;
  };
  const finish = (outcome: unknown): unknown => {
    if (end === "throw") throw new Error(`${name} failed`);
    if (end === "never") return new Promise(() => undefined);
    if (end === "change") return proceed(CHANGE);
    if (end === "skip") return skip("mine");
    return end === "outcome" ? outcome : undefined;
  };
  const runAsync = async (next: Next) => {
    let outcome: unknown;
    for (const step of steps) {
      try {
        if (step === "pause") await later();
        else if (step === "await") outcome = await outcome;
        else outcome = take(step, next);
      } catch (error) {
        if (!swallows) throw error;
      }
    }
    return finish(outcome);
  };
  const run = (next: Next) => {
    let outcome: unknown;
    for (const step of steps) {
      try {
        outcome = take(step, next) ?? outcome;
      } catch (error) {
        if (!swallows) throw error;
      }
    }
    return finish(outcome);
  };
  const handle = (_ctx: unknown, next: Next) => (isAsync ? runAsync(next) : run(next));
  hooks.use("before_tool", handle as never, { name, onError, timeoutMs: 5 });
}

/** Registers a guard; `seen` gets the value of every call. */
function addGuard(hooks: Hooks, { isAsync, refuses, by }: Guard, name: string, seen: unknown[]) {
  const decide = (command: unknown) => {
    if (refuses === "never" || (refuses === "a change" && command !== "changed")) return undefined;
    if (by === "throw") throw new Error(name);
    return block(name);
  };
  hooks.on(
    "before_tool",
    ({ toolInput }) => {
      const { command } = toolInput as { command: string };
      seen.push(command);
      return isAsync ? later().then(() => decide(command)) : decide(command);
    },
    { name },
  );
}

describe("for any middlewares and guards", () => {
  test("an action passes only if every guard was asked about the value that is used and let it pass", () =>
    fc.assert(
      fc.asyncProperty(layers, host, async (generated, { check, isAsync, hasSignal, isWatched }) => {
        const hooks = createHooks({ report: () => undefined });
        if (isWatched) hooks.onHookEvent(() => undefined);
        const seen: unknown[][] = [];
        for (const [index, layer] of generated.entries()) {
          if (layer.type === "middleware") useMiddleware(hooks, layer, `h${index}`);
          else {
            const values: unknown[] = [];
            seen.push(values);
            addGuard(hooks, layer, `h${index}`, values);
          }
        }
        const problem = check === "refuses" ? "not this" : undefined;
        const validate = () => (isAsync ? later().then(() => problem) : problem);
        const dispatch = await hooks.dispatch("before_tool", payload, {
          ...(check !== "none" && { validate }),
          ...(hasSignal && { signal: new AbortController().signal }),
        });
        const calls = seen.map((values) => values.length);
        const guards = generated.filter((layer) => layer.type === "guard");
        const { command } = dispatch.payload.toolInput as { command: string };
        if (check === "refuses") expect(command).toBe("start");
        if (guards.some(({ refuses }) => refuses === "always")) expect(dispatch.action).toBe("refuse");
        if (dispatch.action !== "refuse") {
          for (const [index, { refuses }] of guards.entries()) {
            // `skip` uses no value: the guards were asked before it, in the middleware's `next`.
            if (dispatch.action === "go_on") expect(seen[index]?.at(-1)).toBe(command);
            expect(seen[index]?.length).toBeGreaterThanOrEqual(1);
            if (refuses === "a change") expect(seen[index]).not.toContain("changed");
          }
        }
        // Once, and once more in the second judgement.
        for (const count of calls) expect(count).toBeLessThanOrEqual(2);
        const asked = dispatch.trace.entries.filter(({ pass, hook }) => {
          const layer = generated[Number(hook.slice(1))];
          return pass === "first" && layer?.type === "guard";
        });
        expect(asked.length).toBe(calls.filter((count) => count > 0).length);
        await later();
        await later();
        expect(seen.map((values) => values.length)).toEqual(calls);
      }),
      { numRuns: 500 },
    ));
});
