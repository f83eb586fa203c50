import type { DecisionRecord } from "@tenterhook/bridges";
import { isRecord, shortened } from "@tenterhook/internal";
import {
  estimateQuantile,
  findBucket,
  MAX_TALLIED_NAME,
  OTHER_TOOLS as OTHER,
  readTallyOutcome,
} from "@tenterhook/protocol/runs";
import type { AuditRecord } from "../audit/audit-record.ts";
import { addDecisions } from "./decision-columns.ts";
import type { DecisionInsights, LatestDecision } from "./insight-report.ts";

/** A log may contain any number of names: those beyond the limits are counted together. */
const MAX_HOOKS = 1_000;
const MAX_TOOLS = 200;
const MAX_AGENTS = 50;
const MAX_REASONS = 5_000;
const MAX_REASON_ROWS = 50;
/** The most rows of a list of hooks. */
const MAX_ROWS = 200;
const MAX_REASON_LENGTH = 300;
const MAX_LATEST = 20;
/** The agent of records that no coding agent caused. */
export const OWN_AGENT = "tenterhook";

type Decisions = Record<string, number>;

/** The calls of one hook at one event. */
interface HookSums {
  readonly hook: string;
  readonly event: string;
  readonly decisions: Decisions;
  readonly durations: number[];
  durationMs: number;
}

/** What else is known of a hook, by its name. */
export interface HookFacts {
  calls: number;
  /** How often it was considered, and not called because its matcher did not match. */
  unmatched: number;
  /** How many of the calls were not enforced. */
  notEnforced: number;
  /** How many of those failed. */
  notEnforcedFailures: number;
  /** Whether its latest call was enforced. */
  isEnforced: boolean;
}

/** Sums by name for the first so many names; those of all others are one. */
class BoundedSums<S> {
  readonly #most: number;
  readonly #other: string;
  readonly #make: () => S;
  readonly #sums = new Map<string, S>();

  constructor(most: number, other: string, make: () => S) {
    this.#most = most;
    this.#other = other;
    this.#make = make;
  }

  get(name: string): S {
    const known = this.#sums.get(name);
    if (known !== undefined) return known;
    if (this.#sums.size >= this.#most && name !== this.#other) return this.get(this.#other);
    const made = this.#make();
    this.#sums.set(name, made);
    return made;
  }

  [Symbol.iterator](): IterableIterator<[string, S]> {
    return this.#sums.entries();
  }
}

/** Adds up records of the decision log. Its size does not depend on how many there are. */
export class DecisionSums {
  /** By name: all hooks of the records, also those that are not counted. */
  readonly facts = new BoundedSums<HookFacts>(MAX_HOOKS, OTHER, () => ({
    calls: 0,
    unmatched: 0,
    notEnforced: 0,
    notEnforcedFailures: 0,
    isEnforced: true,
  }));
  readonly #hook: string | undefined;
  /** By name, then by event: joining the two into one key would take as long as everything else here. */
  readonly #hooks = new Map<string, Map<string, HookSums>>();
  #size = 0;
  readonly #agents = new BoundedSums<Decisions>(MAX_AGENTS, OTHER, () => ({}));
  readonly #tools = new BoundedSums<Decisions>(MAX_TOOLS, OTHER, () => ({}));
  readonly #reasons = new Map<string, DecisionInsights["reasons"][number]>();
  readonly #latest: LatestDecision[] = [];

  /** With a hook, only its calls are counted. */
  constructor(hook?: string) {
    this.#hook = hook;
  }

  add(record: AuditRecord): void {
    if (!Array.isArray(record.entries)) return;
    for (const entry of record.entries)
      if (isRecord(entry) && typeof entry.hook === "string" && typeof entry.verdict === "string")
        this.#addEntry(record, entry as unknown as LoggedEntry);
  }

  #addEntry(record: AuditRecord, entry: LoggedEntry): void {
    const hook = readName(entry.hook);
    const facts = this.facts.get(hook);
    const outcome = readOutcome(record, entry);
    if (outcome === undefined) {
      facts.unmatched++;
      return;
    }
    facts.calls++;
    facts.isEnforced = entry.enforced !== false && !outcome.startsWith("would_");
    if (!facts.isEnforced) {
      facts.notEnforced++;
      if (outcome === "failed") facts.notEnforcedFailures++;
    }
    if (this.#hook !== undefined && this.#hook !== hook) return;
    const sums = this.#sumsOf(hook, readName(record.event));
    count(sums.decisions, outcome);
    if (typeof entry.duration_ms === "number" && entry.duration_ms >= 0) {
      const bucket = findBucket(entry.duration_ms);
      sums.durations[bucket] = (sums.durations[bucket] ?? 0) + 1;
      sums.durationMs += entry.duration_ms;
    }
    count(this.#agents.get(readName(record.client) || OWN_AGENT), outcome);
    count(this.#tools.get(readName(record.tool_name)), outcome);
    if (outcome === "passed") return;
    const reason = entry.reason ?? (record.decided_by === entry.hook ? record.reason : undefined);
    if (typeof reason === "string") this.#addReason(sums, outcome, reason);
    if (this.#hook !== undefined) this.#addLatest(record, outcome, reason);
  }

  #sumsOf(hook: string, event: string): HookSums {
    const byEvent = this.#hooks.get(hook);
    const known = byEvent?.get(event);
    if (known !== undefined) return known;
    const isOther = hook === OTHER && event === OTHER;
    if (this.#size >= MAX_HOOKS && !isOther) return this.#sumsOf(OTHER, OTHER);
    const sums: HookSums = { hook, event, decisions: {}, durations: [], durationMs: 0 };
    if (byEvent === undefined) this.#hooks.set(hook, new Map([[event, sums]]));
    else byEvent.set(event, sums);
    this.#size++;
    return sums;
  }

  #addReason({ hook, event }: HookSums, outcome: string, text: string): void {
    const key = (reason: string) => `${hook}\0${event}\0${outcome}\0${reason}`;
    let reason = shortened(text, MAX_REASON_LENGTH) || "no reason given";
    if (!this.#reasons.has(key(reason)) && this.#reasons.size >= MAX_REASONS) reason = "";
    const known = this.#reasons.get(key(reason));
    const row = { hook, kind: KIND, event, outcome, reason, count: (known?.count ?? 0) + 1 };
    this.#reasons.set(key(reason), row);
  }

  #addLatest(record: AuditRecord, outcome: string, reason: string | undefined): void {
    const { time, client = OWN_AGENT, session_id: session = null, event, tool_name: tool = "" } = record;
    const { subject = null } = record;
    const decision = { time, agent: client, session, event, tool, subject, outcome, reason: reason ?? null };
    this.#latest.unshift(decision);
    if (this.#latest.length > MAX_LATEST) this.#latest.pop();
  }

  get latest(): readonly LatestDecision[] {
    return this.#latest;
  }

  /** The sums in the form of a coordinator's insights, the largest first. */
  toInsights(): Omit<DecisionInsights, "since" | "until" | "recorded_since"> {
    const hooks = [...this.#hooks.values()].flatMap((byEvent) => [...byEvent.values()]);
    return {
      current: {
        decisions: addDecisions(hooks.map(({ decisions }) => decisions)),
        hook_duration: estimate(hooks.map(({ durations }) => durations)),
        hook_ms: hooks.reduce((sum, { durationMs }) => sum + durationMs, 0),
      },
      hooks: hooks
        .map(({ hook, event, decisions, durations, durationMs }) => ({
          ...{ hook, kind: KIND, event, ...withCalls(decisions) },
          ...{ duration: estimate([durations]), duration_ms: durationMs },
        }))
        .sort((a, b) => b.calls - a.calls || compareNames(a.hook, b.hook) || compareNames(a.event, b.event))
        .slice(0, MAX_ROWS),
      decisions_by_agent: largest(this.#agents).map(([agent, decisions]) => ({
        agent,
        ...withCalls(decisions),
      })),
      decisions_by_tool: largest(this.#tools).map(([tool, decisions]) => ({ tool, ...withCalls(decisions) })),
      reasons: [...this.#reasons.values()]
        .sort((a, b) => b.count - a.count || compareNames(a.hook, b.hook) || compareNames(a.reason, b.reason))
        .slice(0, MAX_REASON_ROWS),
    };
  }
}

/** The kind of all hooks of the decision log. */
const KIND = "local";

/** An entry of a bridge, or of the engine's audit log, which has what was changed. */
type LoggedEntry = DecisionRecord["entries"][number] & {
  readonly action?: string;
  readonly changes?: unknown;
};

function readOutcome(record: AuditRecord, entry: LoggedEntry): string | undefined {
  const { verdict, action = record.action, changes = entry.changed, added_context: context } = entry;
  if (verdict === "unmatched") return undefined;
  // A newer version may have written a verdict that this one does not know.
  return readTallyOutcome({ verdict, action, changes, context }) ?? OTHER;
}

/** A name of a log, which anything may have written to. */
function readName(name: unknown): string {
  return typeof name === "string" ? shortened(name, MAX_TALLIED_NAME) : "";
}

function count(decisions: Decisions, outcome: string): void {
  decisions[outcome] = (decisions[outcome] ?? 0) + 1;
}

function withCalls(decisions: Decisions) {
  return { calls: Object.values(decisions).reduce((sum, times) => sum + times, 0), decisions };
}

function largest(sums: BoundedSums<Decisions>): readonly (readonly [string, Decisions])[] {
  return [...sums]
    .sort(([a, of], [b, other]) => withCalls(other).calls - withCalls(of).calls || compareNames(a, b))
    .slice(0, MAX_ROWS);
}

function estimate(histograms: readonly (readonly number[])[]) {
  const counts: number[] = [];
  for (const histogram of histograms)
    for (const [bucket, times] of histogram.entries()) counts[bucket] = (counts[bucket] ?? 0) + (times ?? 0);
  const all = Array.from(counts, (times) => times ?? 0);
  return {
    count: all.reduce((sum, times) => sum + times, 0),
    p50_ms: estimateQuantile(all, 0.5) ?? null,
    p95_ms: estimateQuantile(all, 0.95) ?? null,
  };
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
