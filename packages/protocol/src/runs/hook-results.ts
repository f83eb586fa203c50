import { z } from "zod";
import { agentName, RUN_HOOK_TYPES, runHookDefinition } from "./blueprint.ts";
import { nextCursor, wouldHaveDone } from "./shared-schemas.ts";

/** What a call of a hook on the runner came to. */
export const runnerHookOutcome = z.enum([
  "passed",
  "changed",
  "blocked",
  "asked",
  "skipped",
  "recovered",
  "stopped",
  "failed",
  ...wouldHaveDone.options,
]);

/** How a call of a hook ended. */
export const hookResultOutcome = z
  .enum([...runnerHookOutcome.options, "cancelled"])
  .describe(
    "passed: it let the run continue, perhaps with changes; asked: it asked a person, after whose decision a hook of a run has also passed or blocked; cancelled: the run ended before the hook answered; would_block and the like: the hook was not enforced. A hook of a run passes, blocks, asks, fails or is cancelled, and would have blocked, asked or changed",
  );

/** The longest name of a hook on a runner that is stored. */
export const MAX_RUNNER_HOOK_NAME = 200;

/** A hook in use, as one word: `named:curfew`, `inline:deploy/on_run_start` or `runner:no-force-push`. */
export const hookKey = z
  .string()
  // In UTF-16; the limit of names counts characters.
  .max(2 * MAX_RUNNER_HOOK_NAME + 10)
  .refine(
    (text) => readHookKey(text) !== undefined,
    "must be `named:` and a name, `inline:` with an agent and a type of hook as in inline:deploy/on_run_start, or `runner:` and the name of a hook on the runner",
  )
  .describe(
    "`named:curfew` for a named hook, `inline:deploy/on_run_start` for one of a blueprint, `runner:no-force-push` for one on a runner",
  );

/** Where a hook in use is defined. */
export type UsedHook =
  | { readonly source: "named"; readonly name: string }
  | { readonly source: "inline"; readonly agent: string; readonly name: (typeof RUN_HOOK_TYPES)[number] }
  | { readonly source: "runner"; readonly name: string };

/** Reads a key; undefined when it is not one. */
export function readHookKey(key: string): UsedHook | undefined {
  const [source, ...rest] = key.split(":");
  const text = rest.join(":");
  if (source === "runner") return text === "" ? undefined : { source, name: text };
  if (source === "named") return agentName.safeParse(text).success ? { source, name: text } : undefined;
  if (source !== "inline") return undefined;
  const [agent = "", type, ...more] = text.split("/");
  const name = RUN_HOOK_TYPES.find((known) => known === type);
  if (name === undefined || more.length > 0 || !agentName.safeParse(agent).success) return undefined;
  return { source, agent, name };
}

const hookResult = z.strictObject({
  outcome: hookResultOutcome,
  calls: z.int(),
  runs: z.int().describe("the runs of these calls: what `GET /runs` lists with this hook and outcome"),
  more: z.boolean().describe("counting stopped at 10,000 calls, the newest ones: both numbers are higher"),
});

/** A hook in use, with what it did in runs of a time. */
export const hookInUse = z.strictObject({
  hook: hookKey,
  source: z.enum(["named", "inline", "runner"]).describe("runner: a HOOK.md or code on a runner"),
  name: z.string().describe("of an inline hook its type"),
  agents: z.array(z.string()).describe("that use it; of a hook on a runner those in whose runs it acted"),
  events: z.array(z.string()).describe("what it is on: types of hooks, or events of an agent"),
  definition: runHookDefinition
    .nullable()
    .describe("null for a hook on a runner, and for one that was deleted but has results"),
  results: z.array(hookResult).describe("those that occurred"),
  p50_ms: z.number().nullable().describe("of the newest thousand calls that ended; null for a runner's hook"),
  p95_ms: z.number().nullable(),
  latest: z
    .array(z.strictObject({ state: z.enum(["done", "failed", "blocked"]), duration_ms: z.int() }))
    .max(40)
    .describe("the newest that have ended, the oldest of them first"),
});

export const hooksInUsePage = z.strictObject({ hooks: z.array(hookInUse), ...nextCursor });

export type RunnerHookOutcome = z.infer<typeof runnerHookOutcome>;
export type HookResultOutcome = z.infer<typeof hookResultOutcome>;
export type HookResultCount = z.infer<typeof hookResult>;
export type HookInUse = z.infer<typeof hookInUse>;
