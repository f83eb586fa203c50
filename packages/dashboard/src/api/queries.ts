import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { OperationName, Query } from "@tenterhook/client";
import type { SessionSummary } from "@tenterhook/protocol/runs";
import { call } from "./call.ts";
import { isProblem, isWorthRetrying } from "./problem.ts";

type Filters<O extends OperationName> = Omit<Query<O>, "limit" | "cursor">;

const PAGE_SIZE = 200;
const REVISIONS_PAGE = 20;
/** A list that is read as a whole ends after this many pages. */
const MAX_PAGES = 50;

interface CursorPage {
  readonly next_cursor: string | null;
}

/** How infinite queries continue: with the cursor of the last page. */
const BY_CURSOR = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: CursorPage) => page.next_cursor ?? undefined,
};

/**
 * All queries of the page with their keys. The first part of a key is the subject: `liveKeys` invalidates all queries of a
 * subject when an event changes it.
 */
export const queries = {
  whoAmI: () =>
    queryOptions({
      queryKey: ["whoami"],
      queryFn: () => call("GET /whoami"),
      // Without it there is no page, so it is tried until the coordinator responds.
      retry: (_failures, error) => isWorthRetrying(error),
      retryDelay: 2_000,
      staleTime: Number.POSITIVE_INFINITY,
    }),

  runs: (filters: Filters<"GET /runs">) =>
    infiniteQueryOptions({
      queryKey: ["runs", filters],
      queryFn: ({ pageParam, signal }) =>
        call("GET /runs", { query: { ...filters, limit: PAGE_SIZE, cursor: pageParam }, signal }),
      ...BY_CURSOR,
    }),

  /**
   * The runs of the list. `from` may move with the clock, so it is a function; `name` stands for it in the key. Rows are
   * updated one by one; the whole list is read again only when updates were missed.
   */
  runList: (filters: Filters<"GET /runs">, name: string, from: () => string | undefined) =>
    infiniteQueryOptions({
      queryKey: ["runs", "list", name, filters],
      queryFn: ({ pageParam, signal }) =>
        call("GET /runs", {
          query: { ...filters, from: from() ?? filters.from, limit: PAGE_SIZE, cursor: pageParam },
          signal,
        }),
      ...BY_CURSOR,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: "always",
      // Comparing thousands of rows is slow, and merging keeps unchanged rows as they are.
      structuralSharing: false,
    }),

  /** Counted up to 1,000. */
  runCount: (filters: Filters<"GET /runs/count">) =>
    queryOptions({
      queryKey: ["runs", "count", filters],
      queryFn: ({ signal }) => call("GET /runs/count", { query: filters, signal }),
    }),

  run: (id: string) =>
    queryOptions({
      queryKey: ["run", id],
      queryFn: ({ signal }) => call("GET /runs/{id}", { params: { id }, signal }),
      // No event of a run that waits reports that runners come and go, that the queue moves, or that a hook is called again.
      refetchInterval: ({ state: { data } }) =>
        data?.waiting || data?.hooks.some(({ waiting }) => waiting !== null) ? 2_000 : false,
    }),

  sessions: (filters: Filters<"GET /sessions">) =>
    infiniteQueryOptions({
      queryKey: ["sessions", filters],
      queryFn: ({ pageParam, signal }) =>
        call("GET /sessions", { query: { ...filters, limit: PAGE_SIZE, cursor: pageParam }, signal }),
      ...BY_CURSOR,
    }),

  session: (id: string) =>
    queryOptions({
      queryKey: ["session", id],
      queryFn: ({ signal }) => call("GET /sessions/{id}", { params: { id }, signal }),
    }),

  /** From the outermost session to the parent; fewer when one of them was deleted. */
  ancestors: (parentId: string | null) =>
    queryOptions({
      queryKey: ["session", "ancestors", parentId],
      queryFn: ({ signal }) => ancestorsOf(parentId, signal),
    }),

  agents: () =>
    queryOptions({
      queryKey: ["agents"],
      queryFn: ({ signal }) =>
        allPages(
          (cursor) => call("GET /agents", { query: { limit: PAGE_SIZE, cursor }, signal }),
          ({ agents }) => agents,
        ),
    }),

  agent: (name: string) =>
    queryOptions({
      queryKey: ["agents", name],
      queryFn: ({ signal }) => call("GET /agents/{name}", { params: { name }, signal }),
    }),

  /** The revisions of an agent, the newest first. */
  revisions: (name: string) =>
    infiniteQueryOptions({
      queryKey: ["agents", name, "revisions"],
      queryFn: ({ pageParam, signal }) =>
        call("GET /agents/{name}/revisions", {
          params: { name },
          query: { limit: REVISIONS_PAGE, cursor: pageParam },
          signal,
        }),
      ...BY_CURSOR,
    }),

  /** A revision never changes. */
  revision: (name: string, revision: number) =>
    queryOptions({
      queryKey: ["revision", name, revision],
      queryFn: ({ signal }) =>
        call("GET /agents/{name}/revisions/{revision}", {
          params: { name, revision: String(revision) },
          signal,
        }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  hookAgents: (query: Query<"GET /hook-agents">) =>
    queryOptions({
      queryKey: ["agents", "for-hooks", query],
      queryFn: ({ signal }) => call("GET /hook-agents", { query, signal }),
    }),

  hooks: () =>
    queryOptions({
      queryKey: ["hooks"],
      queryFn: ({ signal }) =>
        allPages(
          (cursor) => call("GET /hooks", { query: { limit: PAGE_SIZE, cursor }, signal }),
          ({ hooks }) => hooks,
        ),
    }),

  hook: (name: string) =>
    queryOptions({
      queryKey: ["hooks", name],
      queryFn: ({ signal }) => call("GET /hooks/{name}", { params: { name }, signal }),
    }),

  /** The last trials of a named hook, the newest first. */
  hookTrials: (name: string) =>
    queryOptions({
      queryKey: ["hooks", name, "trials"],
      queryFn: ({ signal }) => call("GET /hooks/{name}/trials", { params: { name }, query: {}, signal }),
    }),

  /** What models cost; configured when the coordinator starts. */
  prices: () =>
    queryOptions({
      queryKey: ["prices"],
      queryFn: ({ signal }) => call("GET /prices", { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  runners: () =>
    queryOptions({
      queryKey: ["runners"],
      queryFn: ({ signal }) =>
        allPages(
          (cursor) => call("GET /runners", { query: { limit: PAGE_SIZE, cursor }, signal }),
          ({ runners }) => runners,
        ),
      // No event reports that a runner has gone offline.
      refetchInterval: 5_000,
    }),

  /** The runs that a runner executes now. */
  runnerRuns: (id: string) =>
    queryOptions({
      queryKey: ["runners", id, "runs"],
      queryFn: ({ signal }) => call("GET /runs", { query: { runner: id, limit: PAGE_SIZE }, signal }),
    }),

  approvals: (filters: Filters<"GET /approvals">) =>
    infiniteQueryOptions({
      queryKey: ["approvals", filters],
      queryFn: ({ pageParam, signal }) =>
        call("GET /approvals", { query: { ...filters, limit: PAGE_SIZE, cursor: pageParam }, signal }),
      ...BY_CURSOR,
    }),
};

/** More levels than agents can start each other. */
const MAX_ANCESTORS = 20;

async function ancestorsOf(parentId: string | null, signal: AbortSignal): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  let id = parentId;
  while (id !== null && found.length < MAX_ANCESTORS) {
    const parent = await call("GET /sessions/{id}", { params: { id }, signal }).catch((error: unknown) => {
      // Old sessions are deleted, parents before their children.
      if (isProblem(error, "not_found")) return undefined;
      throw error;
    });
    if (parent === undefined) break;
    found.unshift(parent);
    id = parent.parent_session_id;
  }
  return found;
}

/** Reads all rows of a short list. */
async function allPages<P extends CursorPage, R>(
  read: (cursor: string | undefined) => Promise<P>,
  rowsOf: (page: P) => readonly R[],
): Promise<R[]> {
  const rows: R[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await read(cursor);
    rows.push(...rowsOf(page));
    cursor = page.next_cursor ?? undefined;
    pages += 1;
  } while (cursor !== undefined && pages < MAX_PAGES);
  return rows;
}
