import type { Trace, TraceEntry } from "@tenterhook/engine";
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
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(report: (event: ReportedEvent<"hook_tallies">) => void) {
    this.#report = report;
  }

  /** The listener for `onTrace`. */
  readonly count = (trace: Trace): void => {
    const { entries } = trace;
    if (entries.length === 0) return;
    const tool = this.#toolOf(trace);
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
        this.#add(entry, trace.event, tool, hasChanged ? "changed" : (readTallyOutcome(entry) ?? "failed"));
      }
    }
  };

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

  #add(entry: Readonly<TraceEntry>, event: string, tool: string | undefined, outcome: TallyOutcome): void {
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
    tally.count++;
    if (entry.durationMs !== undefined) {
      const bucket = findBucket(entry.durationMs);
      tally.durationMs += entry.durationMs;
      tally.durations[bucket] = (tally.durations[bucket] ?? 0) + 1;
    }
    if (this.#size >= MAX_TALLIES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), REPORT_MS).unref();
  }

  #toolOf({ original }: Trace): string | undefined {
    const { toolName } = original as { readonly toolName?: unknown };
    if (typeof toolName !== "string") return undefined;
    if (this.#tools.has(toolName)) return toolName;
    if (this.#tools.size >= MAX_TALLIED_TOOLS || toolName.length > MAX_TALLIED_NAME) return OTHER_TOOLS;
    this.#tools.add(toolName);
    return toolName;
  }
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
