import type { Query } from "@tenterhook/client";
import {
  type HookResultOutcome,
  hookKey,
  hookResultOutcome,
  type RunStatus,
  type RunSummary,
  type RunTime,
  runKind,
  runState,
  runStatus,
  runTime,
} from "@tenterhook/protocol/runs";

type SearchParams = Readonly<Record<string, string | undefined>>;

export const STATUSES = runStatus.options;
/** The states of runs that have not ended. */
export const ACTIVE_STATUSES = runState.exclude(["completed", "failed", "stopped"]).options;
export const KINDS = runKind.options;
export const HOOK_OUTCOMES = hookResultOutcome.options;

/** The kinds of runs that serve no other run. */
export const OWN_KINDS: readonly RunSummary["kind"][] = KINDS.filter(
  (kind) => kind !== "hook" && kind !== "chained",
);

/** Relative periods, by their value in the address. */
export const SINCE = {
  "15m": { ms: 15 * 60_000, label: "Last 15 minutes" },
  "1h": { ms: 3_600_000, label: "Last hour" },
  "1d": { ms: 86_400_000, label: "Last day" },
  "7d": { ms: 7 * 86_400_000, label: "Last week" },
} as const;
export type Since = keyof typeof SINCE;

/** The longest search text that the coordinator accepts. */
export const MAX_SEARCH = 500;

/** Which runs to show. Empty lists and `undefined` match all. */
export interface RunFilters {
  readonly status: readonly RunStatus[];
  readonly kind: readonly RunSummary["kind"][];
  /** Runs of hooks and chained runs are shown too. */
  readonly serving: boolean;
  readonly agent: string | undefined;
  readonly hasHooks: boolean;
  /** The key of a hook in use: runs with a result of it. */
  readonly hook: string | undefined;
  /** With `hook`. */
  readonly hookOutcome: readonly HookResultOutcome[];
  /** Calls of hooks with one of these outcomes, as insights count them; with `hook` of that hook, with `tool` about that tool. */
  readonly decision: readonly string[];
  readonly tool: string | undefined;
  readonly model: string | undefined;
  /** The name of a runner. */
  readonly executedBy: string | undefined;
  /** What the times are about; undefined means when a run was created. */
  readonly time: RunTime | undefined;
  readonly since: Since | undefined;
  /** In UTC, so that a link means the same everywhere: `2026-11-15T10:00:00.000Z`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly search: string;
}

/** What a change makes of the filters that are set when it is made. */
export type FilterChange = (before: RunFilters) => RunFilters;

export const NO_FILTERS: RunFilters = {
  status: [],
  kind: [],
  serving: false,
  agent: undefined,
  hasHooks: false,
  hook: undefined,
  hookOutcome: [],
  decision: [],
  tool: undefined,
  model: undefined,
  executedBy: undefined,
  time: undefined,
  since: undefined,
  from: undefined,
  to: undefined,
  search: "",
};

/** Reads filters from search parameters; invalid values are ignored. */
export function readFilters(params: SearchParams): RunFilters {
  const since =
    params.since !== undefined && Object.hasOwn(SINCE, params.since) ? (params.since as Since) : undefined;
  const hook = hookKey.safeParse(params.hook).success ? params.hook : undefined;
  const decision = (params.decision ?? "").split(",").filter((outcome) => outcome !== "");
  return {
    // Links of former versions have a parameter for it.
    status: params.hook_blocked === "true" ? ["blocked"] : known(params.status, STATUSES),
    kind: known(params.kind, KINDS),
    serving: params.serving === "true",
    agent: params.agent || undefined,
    hasHooks: params.has_hooks === "true",
    hook,
    hookOutcome: hook === undefined ? [] : known(params.hook_outcome, HOOK_OUTCOMES),
    decision,
    tool: decision.length === 0 ? undefined : params.tool || undefined,
    model: params.model || undefined,
    executedBy: params.executed_by || undefined,
    time: runTime.safeParse(params.time).data,
    since,
    from: since === undefined ? readTime(params.from) : undefined,
    to: since === undefined ? readTime(params.to) : undefined,
    search: (params.search ?? "").slice(0, MAX_SEARCH),
  };
}

/** The reverse; filters that match all are left out, so that equal filters have equal addresses. */
export function writeFilters(filters: RunFilters): SearchParams {
  return {
    status: filters.status.join(",") || undefined,
    kind: filters.kind.length === KINDS.length ? undefined : filters.kind.join(",") || undefined,
    serving: filters.serving ? "true" : undefined,
    agent: filters.agent,
    has_hooks: filters.hasHooks ? "true" : undefined,
    hook: filters.hook,
    hook_outcome: filters.hook === undefined ? undefined : filters.hookOutcome.join(",") || undefined,
    decision: filters.decision.join(",") || undefined,
    tool: filters.decision.length === 0 ? undefined : filters.tool,
    model: filters.model,
    executed_by: filters.executedBy,
    time: filters.time,
    since: filters.since,
    from: filters.since === undefined ? filters.from : undefined,
    to: filters.since === undefined ? filters.to : undefined,
    search: filters.search.trim() || undefined,
  };
}

/** The number of active filters. */
export function countFilters(filters: RunFilters): number {
  const { status, kind, agent, hasHooks, hook, decision, model, executedBy } = filters;
  const { since, from, to, search } = filters;
  const hasTime = since !== undefined || from !== undefined || to !== undefined;
  const active = [status.length > 0, kind.length > 0, agent !== undefined, hasHooks, hook !== undefined];
  const counted = [decision.length > 0, model !== undefined, executedBy !== undefined];
  return [...active, ...counted, hasTime, search.trim() !== ""].filter(Boolean).length;
}

export type RunsQuery = Omit<Query<"GET /runs">, "limit" | "cursor" | "id">;

/** The query for the coordinator. A start time that moves with the clock is not included: see `sinceTime`. */
export function runsQuery(filters: RunFilters): RunsQuery {
  const { since: _relative, serving, kind, ...query } = writeFilters(filters);
  // A user who asks for a kind, an agent, a hook, a run or a session gets all of its runs.
  const isId = /^(?:run|ses)_/.test(query.search ?? "");
  const isAsked = serving !== undefined || query.agent !== undefined || query.hook !== undefined || isId;
  return { ...query, kind: kind ?? (isAsked ? undefined : OWN_KINDS.join(",")) };
}

/** When a relative period started, at the time `now`. */
export function sinceTime(since: Since | undefined, now: number): string | undefined {
  return since === undefined ? undefined : new Date(now - SINCE[since].ms).toISOString();
}

function known<T extends string>(text: string | undefined, values: readonly T[]): readonly T[] {
  const given = new Set(text?.split(","));
  return values.filter((value) => given.has(value));
}

function readTime(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
