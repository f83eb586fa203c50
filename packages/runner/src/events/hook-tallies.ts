import type { ApprovalRequest, Trace, TraceEntry } from "@tenterhook/engine";
import { shortened } from "@tenterhook/internal";
import {
  BUCKET_COUNT,
  findBucket,
  type HookTally,
  MAX_TALLIED_NAME,
  MAX_TALLIED_TOOLS,
  MAX_TALLIES,
  OTHER_TOOLS,
  readTallyOutcome,
  type TallyOutcome,
} from "@tenterhook/protocol/runs";
import type { ReportedEvent } from "./reported-event.ts";

/** How long counts wait before they are reported. */
const REPORT_MS = 30_000;

/** The calls of one hook with one outcome, so far. */
interface Tally {
  readonly entry: Readonly<TraceEntry>;
  readonly event: string;
  readonly tool: string | undefined;
  readonly outcome: TallyOutcome;
  count: number;
  durationMs: number;
  readonly durations: number[];
}

/**
 * Counts what the hooks of a run answer and how long they take, as a listener of the engine's traces. It reports what was added since
 * its last report, a while after the first new call and when it is asked; a runner that dies loses only what was not reported.
 */
export class HookTallies {
  readonly #report: (event: ReportedEvent<"hook_tallies">) => void;
  /** By tool, then by the hook's id and the outcome. */
  readonly #tallies = new Map<string | undefined, Map<string, Tally>>();
  readonly #tools = new Set<string>();
  /** The questions that were counted, and whose calls have not ended. */
  readonly #questions = new Map<string, number>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(report: (event: ReportedEvent<"hook_tallies">) => void) {
    this.#report = report;
  }

  /** The listener for `onTrace`. */
  readonly count = (trace: Trace): void => {
    const { entries } = trace;
    if (entries.length === 0) return;
    const tool = this.#toolOf(trace.original);
    /** The middlewares that have given a change to the hooks behind them; the entries of their calls follow. */
    let changing: Set<string> | undefined;
    for (const entry of entries) {
      // The coordinator records the calls of its own hook.
      if (entry.verdict === "unmatched" || entry.source === "coordinator") continue;
      if (isChangeForNext(entry)) {
        changing ??= new Set();
        changing.add(entry.hookId);
      } else {
        const hasChanged = entry.verdict === "proceed" && changing?.has(entry.hookId) === true;
        const outcome = hasChanged ? "changed" : (readTallyOutcome(entry) ?? "failed");
        if (this.#questions.size > 0 && mayHaveAsked(outcome) && this.#endQuestion(trace, entry))
          this.#add(entry, trace.event, tool, "asked", 0);
        else this.#add(entry, trace.event, tool, outcome, 1);
      }
    }
  };

  /**
   * Counts and reports a question when it is asked: a person may take days to decide, and the runner may end meanwhile. How long the call
   * took is added when it has ended.
   */
  question({ event, hook, payload }: Pick<ApprovalRequest, "event" | "hook" | "payload">): void {
    const key = questionKey(event, hook, payload);
    this.#questions.set(key, (this.#questions.get(key) ?? 0) + 1);
    const tool = this.#toolOf(payload);
    const row: HookTally = {
      ...{ hook: shortened(hook, MAX_TALLIED_NAME), event, ...(tool !== undefined && { tool }) },
      ...{ outcome: "asked", count: 1, duration_ms: 0, durations: [] },
    };
    this.#report({ type: "hook_tallies", data: { tallies: [row] } });
  }

  /** Reports what was counted since the last report. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#size === 0) return;
    const tallies = [...this.#tallies.values()].flatMap((byHook) => Array.from(byHook.values(), toRow));
    this.#tallies.clear();
    this.#size = 0;
    this.#report({ type: "hook_tallies", data: { tallies } });
  }

  /** Whether the call of an entry was counted when it asked. */
  #endQuestion({ event, original }: Trace, { hook }: Readonly<TraceEntry>): boolean {
    const key = questionKey(event, hook, original);
    const count = this.#questions.get(key) ?? 0;
    if (count > 1) this.#questions.set(key, count - 1);
    else this.#questions.delete(key);
    return count > 0;
  }

  #add(
    entry: Readonly<TraceEntry>,
    event: string,
    tool: string | undefined,
    outcome: TallyOutcome,
    count: 0 | 1,
  ): void {
    let byHook = this.#tallies.get(tool);
    if (byHook === undefined) {
      byHook = new Map();
      this.#tallies.set(tool, byHook);
    }
    const key = outcome === "passed" ? entry.hookId : `${entry.hookId} ${outcome}`;
    let tally = byHook.get(key);
    if (tally === undefined) {
      tally = { entry, event, tool, outcome, count: 0, durationMs: 0, durations: [] };
      byHook.set(key, tally);
      this.#size++;
    }
    tally.count += count;
    if (entry.durationMs !== undefined) {
      const bucket = findBucket(entry.durationMs);
      tally.durationMs += entry.durationMs;
      tally.durations[bucket] = (tally.durations[bucket] ?? 0) + 1;
    }
    if (this.#size >= MAX_TALLIES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), REPORT_MS).unref();
  }

  #toolOf(payload: object): string | undefined {
    const { toolName } = payload as { readonly toolName?: unknown };
    if (typeof toolName !== "string") return undefined;
    if (this.#tools.has(toolName)) return toolName;
    if (this.#tools.size >= MAX_TALLIED_TOOLS || toolName.length > MAX_TALLIED_NAME) return OTHER_TOOLS;
    this.#tools.add(toolName);
    return toolName;
  }
}

/** A call that is cancelled while a person is asked has failed. */
function mayHaveAsked(outcome: TallyOutcome): boolean {
  return outcome === "asked" || outcome === "failed";
}

/** The same hook may ask about several calls at a time. */
function questionKey(event: string, hook: string, payload: object): string {
  const { toolUseId } = payload as { readonly toolUseId?: unknown };
  return JSON.stringify([event, hook, toolUseId]);
}

/** A middleware's change has an entry of its own, before that of the call, and without its times. */
function isChangeForNext({ verdict, changes, durationMs }: Readonly<TraceEntry>): boolean {
  return verdict === "proceed" && changes !== undefined && durationMs === undefined;
}

function toRow({ entry, event, tool, outcome, count, durationMs, durations }: Tally): HookTally {
  return {
    hook: shortened(entry.hook, MAX_TALLIED_NAME),
    event,
    ...(tool !== undefined && { tool }),
    outcome,
    count,
    duration_ms: durationMs,
    durations: Array.from(
      { length: Math.min(durations.length, BUCKET_COUNT) },
      (_, bucket) => durations[bucket] ?? 0,
    ),
  };
}
