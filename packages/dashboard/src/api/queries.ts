import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { OperationName, Query } from "@tenterhook/client";
import type { SessionSummary } from "@tenterhook/protocol/runs";
import { call } from "./call.ts";
import { isProblem, isWorthRetrying } from "./problem.ts";

/** What has revisions. */
type Revised = "agents" | "hooks";

type Filters<O extends OperationName> = Omit<Query<O>, "limit" | "cursor">;

const PAGE_SIZE = 200;
const REVISIONS_PAGE = 20;
/** How often the runs of a list are counted again. */
const COUNT_MS = 10_000;
/** How often the results of hooks are counted again without an event: a period ends later, and old runs are removed. */
const RESULTS_MS = 60_000;
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

  /** The number of runs of a list, counted up to 1,000; see `runList`. */
  runCount: (filters: Filters<"GET /runs/count">, name: string, from: () => string | undefined) =>
    queryOptions({
      ...readQuery(["runs", "count", name, filters], (signal) =>
        call("GET /runs/count", { query: { ...filters, from: from() ?? filters.from }, signal }),
      ),
      // Events update the rows of a list, not its number.
      refetchInterval: COUNT_MS,
    }),

  run: (id: string) =>
    queryOptions({
      ...readQuery(["run", id], (signal) => call("GET /runs/{id}", { params: { id }, signal })),
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
    readQuery(["session", id], (signal) => call("GET /sessions/{id}", { params: { id }, signal })),

  /** From the outermost session to the parent; fewer when one of them was deleted. */
  ancestors: (parentId: string | null) =>
    readQuery(["session", "ancestors", parentId], (signal) => readAncestors(parentId, signal)),

  agents: () =>
    allPagesQuery(
      ["agents"],
      (request) => call("GET /agents", request),
      ({ agents }) => agents,
    ),

  agent: (name: string) =>
    readQuery(["agents", name], (signal) => call("GET /agents/{name}", { params: { name }, signal })),

  /** The revisions of an agent or a named hook, the newest first. */
  revisions: (kind: Revised, name: string) =>
    infiniteQueryOptions({
      queryKey: [kind, name, "revisions"],
      queryFn: ({ pageParam, signal }) => {
        const request = { params: { name }, query: { limit: REVISIONS_PAGE, cursor: pageParam }, signal };
        return kind === "agents"
          ? call("GET /agents/{name}/revisions", request)
          : call("GET /hooks/{name}/revisions", request);
      },
      ...BY_CURSOR,
    }),

  /** What was saved as a revision, which never changes. */
  revision: (kind: Revised, name: string, revision: number) =>
    queryOptions({
      ...readQuery(
        ["revision", kind, name, revision],
        async (signal): Promise<Readonly<Record<string, unknown>>> => {
          const request = { params: { name, revision: String(revision) }, signal };
          return kind === "agents"
            ? (await call("GET /agents/{name}/revisions/{revision}", request)).blueprint
            : (await call("GET /hooks/{name}/revisions/{revision}", request)).definition;
        },
      ),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  hookAgents: (query: Query<"GET /hook-agents">) =>
    readQuery(["agents", "for-hooks", query], (signal) => call("GET /hook-agents", { query, signal })),

  hooks: () =>
    allPagesQuery(
      ["hooks"],
      (request) => call("GET /hooks", request),
      ({ hooks }) => hooks,
    ),

  hook: (name: string) =>
    readQuery(["hooks", name], (signal) => call("GET /hooks/{name}", { params: { name }, signal })),

  /** Every hook in use with its results; `from` moves with the clock, see `runList`. */
  hooksInUse: (
    filters: Filters<"GET /hooks-in-use">,
    name: string,
    from: () => string | undefined = () => undefined,
  ) =>
    queryOptions({
      ...allPagesQuery(
        ["hooks-in-use", name, filters],
        ({ query, signal }) =>
          call("GET /hooks-in-use", {
            query: { ...filters, from: from() ?? filters.from, ...query },
            signal,
          }),
        ({ hooks }) => hooks,
      ),
      // Events make it stale too, see `slowLiveKeys`.
      refetchInterval: RESULTS_MS,
    }),

  /** The last trials of a named hook, the newest first. */
  hookTrials: (name: string) =>
    readQuery(["hooks", name, "trials"], (signal) =>
      call("GET /hooks/{name}/trials", { params: { name }, signal }),
    ),

  /** What models cost; configured when the coordinator starts. */
  prices: () =>
    queryOptions({
      ...readQuery(["prices"], (signal) => call("GET /prices", { signal })),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  runners: () =>
    queryOptions({
      ...allPagesQuery(
        ["runners"],
        (request) => call("GET /runners", request),
        ({ runners }) => runners,
      ),
      // No event reports that a runner has gone offline.
      refetchInterval: 5_000,
    }),

  /** The runs that a runner executes now. */
  runnerRuns: (id: string) =>
    readQuery(["runners", id, "runs"], (signal) =>
      call("GET /runs", { query: { runner: id, limit: PAGE_SIZE }, signal }),
    ),

  /** Everything that gives access: tokens, and people who are signed in. */
  tokens: () =>
    allPagesQuery(
      ["tokens"],
      (request) => call("GET /tokens", request),
      ({ tokens }) => tokens,
    ),

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

async function readAncestors(parentId: string | null, signal: AbortSignal): Promise<SessionSummary[]> {
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

/** A query of one request. */
function readQuery<T>(queryKey: readonly unknown[], read: (signal: AbortSignal) => Promise<T>) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => read(signal) });
}

interface PageRequest {
  readonly query: { readonly limit: number; readonly cursor: string | undefined };
  readonly signal: AbortSignal;
}

/** A query of all rows of a short list. */
function allPagesQuery<P extends CursorPage, R>(
  queryKey: readonly unknown[],
  readPage: (request: PageRequest) => Promise<P>,
  getRows: (page: P) => readonly R[],
) {
  return readQuery(queryKey, async (signal) => {
    const rows: R[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await readPage({ query: { limit: PAGE_SIZE, cursor }, signal });
      rows.push(...getRows(page));
      cursor = page.next_cursor ?? undefined;
      pages += 1;
    } while (cursor !== undefined && pages < MAX_PAGES);
    return rows;
  });
}
