import type { RunSummary, RunsPage } from "@tenterhook/protocol/runs";

type Pages = readonly RunsPage[];

/** The coordinator's order: newest first. */
export function byNewest(a: RunSummary, b: RunSummary): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  if (a.run_id === b.run_id) return 0;
  return a.run_id < b.run_id ? 1 : -1;
}

/** All rows of the pages without duplicates: a run may be added by an event and be part of the next page as well. */
export function rowsOf(pages: Pages): readonly RunSummary[] {
  const seen = new Set<string>();
  const rows: RunSummary[] = [];
  for (const { runs } of pages) {
    for (const run of runs) {
      if (seen.has(run.run_id)) continue;
      seen.add(run.run_id);
      rows.push(run);
    }
  }
  return rows;
}

/**
 * Updates pages of runs with the response to a request for some ids. Found runs are replaced or inserted in order; requested
 * runs that were not found no longer match and are removed. At most `room` runs are added.
 *
 * Unchanged runs and pages keep their identity, so that only changed rows are rendered again.
 */
export function mergeRuns(
  pages: Pages,
  requested: readonly string[],
  found: readonly RunSummary[],
  room = Number.POSITIVE_INFINITY,
): Pages {
  const gone = new Set(requested);
  const fresh = new Map(found.map((run) => [run.run_id, run]));
  for (const id of fresh.keys()) gone.delete(id);
  const isNew = new Map(fresh);
  const updated = pages.map((page) => {
    let isChanged = false;
    const runs: RunSummary[] = [];
    for (const run of page.runs) {
      isNew.delete(run.run_id);
      const now = fresh.get(run.run_id) ?? run;
      const isSame = now === run || isEqual(now, run);
      isChanged ||= gone.has(run.run_id) || !isSame;
      if (!gone.has(run.run_id)) runs.push(isSame ? run : now);
    }
    return isChanged ? { ...page, runs } : page;
  });
  const added = [...isNew.values()].sort(byNewest).slice(0, Math.max(0, room));
  return same(pages, added.length === 0 ? updated : insert(updated, added));
}

/** Inserts runs in order. Runs after the last loaded page come with the next page. */
function insert(pages: Pages, added: readonly RunSummary[]): Pages {
  let rest = added;
  return pages.map((page, index) => {
    const last = page.runs.at(-1);
    const isEnd = index === pages.length - 1 && page.next_cursor === null;
    const belongs = (run: RunSummary) => isEnd || (last !== undefined && byNewest(run, last) < 0);
    const end = rest.findIndex((run) => !belongs(run));
    const mine = end === -1 ? rest : rest.slice(0, end);
    rest = end === -1 ? [] : rest.slice(end);
    return mine.length === 0 ? page : { ...page, runs: merged(mine, page.runs) };
  });
}

/** Two sorted lists as one. */
function merged(a: readonly RunSummary[], b: readonly RunSummary[]): RunSummary[] {
  const all: RunSummary[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    const isLeft = right === undefined || (left !== undefined && byNewest(left, right) < 0);
    const next = isLeft ? left : right;
    if (next !== undefined) all.push(next);
    if (isLeft) i += 1;
    else j += 1;
  }
  return all;
}

function same(before: Pages, after: Pages): Pages {
  return after.every((page, index) => page === before[index]) ? before : after;
}

/** Summaries are flat but for a few small objects. */
function isEqual(a: RunSummary, b: RunSummary): boolean {
  return (Object.keys(a) as (keyof RunSummary)[]).every((name) => {
    const [one, other] = [a[name], b[name]];
    if (one === other) return true;
    return typeof one === "object" && one !== null && JSON.stringify(one) === JSON.stringify(other);
  });
}
