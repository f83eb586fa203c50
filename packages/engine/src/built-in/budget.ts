import { BoundedMap } from "@tenterhook/internal";
import { block, type EventName, type Stop, stop } from "@tenterhook/protocol";
import { type Context, type EventContext, runContextOf } from "../context/hook-context.ts";
import type { Hooks, Unregister } from "../hooks.ts";
import { toMatcher } from "../match/matcher.ts";
import { badOption, checkNumber, checkOptions, checkWord } from "./check-options.ts";

/** What a budget is counted for. */
export type BudgetScope = "run" | "session" | "process";

/** The limits of a budget; those that are left out do not apply. */
export interface BudgetOptions {
  /** Requested tool calls, whether or not they are then executed. */
  readonly maxToolCalls?: number;
  readonly maxLlmCalls?: number;
  /** Input and output tokens together; what is used up is known when the model has answered. */
  readonly maxTokens?: number;
  /** Since the first event that was seen. */
  readonly maxDurationMs?: number;
  /** At most so many tool calls in any span of so many milliseconds; `tool` limits it to a name, glob or `/regex/`. */
  readonly rate?: { readonly calls: number; readonly perMs: number; readonly tool?: string };
  /** Whose calls are counted together. Default `run`: by the metadata that the host gives to every dispatch of a run. */
  readonly scope?: BudgetScope;
  /** Milliseconds that never go back. Default `performance.now`. */
  readonly now?: () => number;
}

const NAME = "budget";
const LIMITS = ["maxToolCalls", "maxLlmCalls", "maxTokens", "maxDurationMs", "rate"] as const;

/** Stops a run that has used up its calls, tokens or time, and blocks tool calls that come too fast. */
export function budget(hooks: Hooks, options: BudgetOptions): Unregister {
  checkBudget(options);
  const { rate, scope = "run", now = () => performance.now() } = options;
  const tallies = createTallies(scope, now);
  const tallyOf = (context: Context<"before_tool" | "before_llm">): Tally =>
    tallies.for(context) ?? cannotCount(scope);
  const rateMatcher = rate?.tool === undefined ? undefined : toMatcher(rate.tool);

  const unregisters: Unregister[] = [];
  const sharesLimits = options.maxTokens !== undefined || options.maxDurationMs !== undefined;
  if (options.maxToolCalls !== undefined || sharesLimits) {
    unregisters.push(hooks.on("before_tool", countToolCall, { name: NAME }));
  }
  if (options.maxLlmCalls !== undefined || sharesLimits) {
    unregisters.push(hooks.on("before_llm", countLlmCall, { name: NAME }));
  }
  if (options.maxTokens !== undefined) {
    // Before all other hooks, because a refused answer has used its tokens too.
    unregisters.push(
      hooks.on("after_llm", tokenCounter(tallies), { name: NAME, priority: Number.MAX_SAFE_INTEGER }),
    );
  }
  if (options.maxDurationMs !== undefined) {
    // The clock starts with the turn, not with the first call in it.
    unregisters.push(hooks.on("before_agent", (context) => void tallies.for(context), { name: NAME }));
  }
  if (scope === "session") {
    unregisters.push(hooks.on("session_end", (context) => tallies.forget(context), { name: NAME }));
  }
  if (rate !== undefined) {
    const slowDown = (context: Context<"before_tool">) => {
      if (context.judging) return undefined;
      const waitMs = Math.ceil(tallyOf(context).callAt(now(), rate));
      if (waitMs === 0) return undefined;
      return block(
        `The rate of ${rate.calls} calls per ${rate.perMs} ms is reached. Try again in ${waitMs} ms.`,
      );
    };
    unregisters.push(hooks.on("before_tool", slowDown, { name: `${NAME}-rate`, matcher: rateMatcher }));
  }
  return () => {
    for (const unregister of unregisters) unregister();
  };

  function countToolCall(context: Context<"before_tool">): Stop | undefined {
    // A second judgement of the same call, because a later hook changed it.
    if (context.judging) return undefined;
    const tally = tallyOf(context);
    const spent = usedUp("maxToolCalls", tally.toolCalls, "tool calls") ?? sharedLimits(tally);
    if (spent === undefined) tally.toolCalls++;
    return spent;
  }

  function countLlmCall(context: Context<"before_llm">): Stop | undefined {
    if (context.judging) return undefined;
    const tally = tallyOf(context);
    const spent = usedUp("maxLlmCalls", tally.llmCalls, "model calls") ?? sharedLimits(tally);
    if (spent === undefined) tally.llmCalls++;
    return spent;
  }

  function sharedLimits({ tokens, startedAt }: Tally): Stop | undefined {
    return (
      usedUp("maxTokens", tokens, "tokens") ?? usedUp("maxDurationMs", Math.floor(now() - startedAt), "ms")
    );
  }

  function usedUp(
    key: Exclude<(typeof LIMITS)[number], "rate">,
    used: number,
    unit: string,
  ): Stop | undefined {
    const limit = options[key];
    if (limit === undefined || used < limit) return undefined;
    return stop(`The budget of this ${scope} is used up: ${used} of ${limit} ${unit} (${key}).`);
  }
}

function tokenCounter(tallies: Tallies): (context: Context<"after_llm">) => void {
  let warned = false;
  return (context) => {
    if (context.judging) return;
    const { usage, status = "completed" } = context;
    const used = usage === undefined ? Number.NaN : usage.inputTokens + usage.outputTokens;
    const tally = tallies.for(context);
    if (tally !== undefined && used >= 0) tally.tokens += used;
    else if (status === "completed" && !warned) {
      warned = true;
      const what = tally === undefined ? "run or session" : "usage";
      process.emitWarning(
        `budget: after_llm carried no ${what}, so maxTokens cannot count it.`,
        "TenterhookWarning",
      );
    }
  };
}

/** A budget that cannot count must not look like one that is never reached: this refuses, with the remedy. */
function cannotCount(scope: BudgetScope): never {
  throw new Error(
    scope === "session"
      ? "the event has no sessionId, so the budget of its session cannot be counted; set it in the payload"
      : "the dispatch has no metadata, so the budget of its run cannot be counted; " +
          "give every dispatch of a run the same { metadata }, or choose another scope",
  );
}

/** Finds the tally that an event counts towards. */
interface Tallies {
  /** `undefined` when the event does not name its run or session. */
  for(context: AnyContext): Tally | undefined;
  forget(context: AnyContext): void;
}

type AnyContext = EventContext<EventName> & {
  readonly sessionId?: string | undefined;
  readonly session?: { readonly id: string } | undefined;
};

/** Sessions that never end must not accumulate: this many are kept, the least recently used are dropped. */
const MAX_SESSIONS = 10_000;

function createTallies(scope: BudgetScope, now: () => number): Tallies {
  const bySession = new BoundedMap<string, Tally>(MAX_SESSIONS);
  // By the run's metadata, so that a tally is freed with its run.
  const byRun = new WeakMap<object, Tally>();
  const process = {};
  return {
    for(context) {
      if (scope === "session") {
        const id = sessionIdOf(context);
        if (id === undefined) return undefined;
        const tally = bySession.get(id) ?? new Tally(now());
        // Set anew each time: a Map keeps its order of insertion, so the first one is the longest unused.
        bySession.delete(id);
        bySession.set(id, tally);
        return tally;
      }
      // A dispatch without the metadata of its run gets its own, by which every call would be the first.
      const run = scope === "process" ? process : runContextOf(context).options?.metadata;
      if (run === undefined) return undefined;
      const tally = byRun.get(run) ?? new Tally(now());
      byRun.set(run, tally);
      return tally;
    },
    forget(context) {
      const id = sessionIdOf(context);
      if (id !== undefined) bySession.delete(id);
    },
  };
}

function sessionIdOf({ sessionId, session }: AnyContext): string | undefined {
  return sessionId ?? session?.id;
}

/** What one run, session or process has used so far. */
class Tally {
  toolCalls = 0;
  llmCalls = 0;
  tokens = 0;
  /** When its first event was seen. */
  readonly startedAt: number;
  /** When the last calls that a rate counts were made; a ring that never contains more than the rate allows. */
  readonly #callTimes: number[] = [];
  #counted = 0;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  /** Counts a call against a rate. Returns how many milliseconds it comes too early, and then it is not counted. */
  callAt(now: number, { calls, perMs }: { readonly calls: number; readonly perMs: number }): number {
    const slot = this.#counted % calls;
    const oldest = this.#callTimes[slot];
    const wait = oldest === undefined ? 0 : Math.max(0, oldest + perMs - now);
    // Not `> 0`: a clock that gives no number must not open the gate.
    if (!(wait <= 0)) return wait;
    this.#callTimes[slot] = now;
    this.#counted++;
    return 0;
  }
}

function checkBudget(options: BudgetOptions): void {
  checkOptions(NAME, options, [...LIMITS, "scope", "now"]);
  for (const key of ["maxToolCalls", "maxLlmCalls", "maxTokens"] as const) {
    checkNumber(NAME, key, options[key], { least: 0, whole: true });
  }
  checkNumber(NAME, "maxDurationMs", options.maxDurationMs, { least: 0, whole: false });
  checkWord(NAME, "scope", options.scope, ["run", "session", "process"]);
  if (options.now !== undefined && typeof options.now !== "function") {
    throw badOption(NAME, "now must be a function that returns milliseconds.");
  }
  if (options.rate !== undefined) {
    checkOptions(NAME, options.rate, ["calls", "perMs", "tool"]);
    checkNumber(NAME, "rate.calls", options.rate.calls ?? Number.NaN, { least: 1, whole: true });
    checkNumber(NAME, "rate.perMs", options.rate.perMs ?? Number.NaN, { least: 1, whole: false });
  }
  if (LIMITS.every((key) => options[key] === undefined)) {
    throw badOption(NAME, "it has no limit.", `Give at least one of ${LIMITS.join(", ")}.`);
  }
}
