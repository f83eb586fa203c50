import { type RunSummary, runKind, runState } from "@tenterhook/protocol/runs";
import type { Operations } from "../api/generated/operations.ts";

type Words = Readonly<Record<string, string | undefined>>;

export const STATUSES = runState.options;
export const KINDS = runKind.options;

/** Everything but the runs that carry out hooks. */
export const WITHOUT_HOOK_RUNS: readonly RunSummary["kind"][] = KINDS.filter((kind) => kind !== "hook");

/** How far back, by the word that stands in the address. */
export const SINCE = {
  "15m": { ms: 15 * 60_000, label: "Last 15 minutes" },
  "1h": { ms: 3_600_000, label: "Last hour" },
  "1d": { ms: 86_400_000, label: "Last day" },
  "7d": { ms: 7 * 86_400_000, label: "Last week" },
} as const;
export type Since = keyof typeof SINCE;

/** Which runs somebody wants to see. Empty lists and `undefined` want all. */
export interface RunFilters {
  readonly status: readonly RunSummary["status"][];
  readonly kind: readonly RunSummary["kind"][];
  readonly agent: string | undefined;
  readonly hasHooks: boolean;
  readonly hookBlocked: boolean;
  readonly since: Since | undefined;
  /** Times of the world, so that a link means the same everywhere: `2026-11-15T10:00:00.000Z`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly search: string;
}

export const NO_FILTERS: RunFilters = {
  status: [],
  kind: [],
  agent: undefined,
  hasHooks: false,
  hookBlocked: false,
  since: undefined,
  from: undefined,
  to: undefined,
  search: "",
};

/** Reads an address; what it does not understand is as if it were not there. */
export function readFilters(words: Words): RunFilters {
  const since =
    words.since !== undefined && Object.hasOwn(SINCE, words.since) ? (words.since as Since) : undefined;
  return {
    status: known(words.status, STATUSES),
    kind: known(words.kind, KINDS),
    agent: words.agent || undefined,
    hasHooks: words.has_hooks === "true",
    hookBlocked: words.hook_blocked === "true",
    since,
    from: since === undefined ? readTime(words.from) : undefined,
    to: since === undefined ? readTime(words.to) : undefined,
    search: (words.search ?? "").slice(0, 100),
  };
}

/** And back; what wants all is left out, so that two links to the same are the same. */
export function writeFilters(filters: RunFilters): Words {
  return {
    status: filters.status.join(",") || undefined,
    kind: filters.kind.length === KINDS.length ? undefined : filters.kind.join(",") || undefined,
    agent: filters.agent,
    has_hooks: filters.hasHooks ? "true" : undefined,
    hook_blocked: filters.hookBlocked ? "true" : undefined,
    since: filters.since,
    from: filters.since === undefined ? filters.from : undefined,
    to: filters.since === undefined ? filters.to : undefined,
    search: filters.search.trim() || undefined,
  };
}

/** How many filters are at work. */
export function countFilters(filters: RunFilters): number {
  const { status, kind, agent, hasHooks, hookBlocked, since, from, to, search } = filters;
  const hasTime = since !== undefined || from !== undefined || to !== undefined;
  const claims = [status.length > 0, kind.length > 0, agent !== undefined, hasHooks, hookBlocked, hasTime];
  return [...claims, search.trim() !== ""].filter(Boolean).length;
}

export type RunsQuery = Omit<Operations["GET /runs"]["query"], "limit" | "cursor" | "id">;

/** What the coordinator is asked. A beginning that moves with the clock is not in it: see `sinceTime`. */
export function runsQuery(filters: RunFilters): RunsQuery {
  const { since: _moves, ...words } = writeFilters(filters);
  return words;
}

/** Where "the last hour" begins now. */
export function sinceTime(since: Since | undefined, now: number): string | undefined {
  return since === undefined ? undefined : new Date(now - SINCE[since].ms).toISOString();
}

function known<T extends string>(text: string | undefined, words: readonly T[]): readonly T[] {
  const said = new Set(text?.split(","));
  return words.filter((word) => said.has(word));
}

function readTime(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
