import type { RunSummary } from "@tenterhook/protocol/runs";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { OnSelect } from "./run-row.tsx";

type Runs = ReadonlyMap<string, RunSummary>;

const NONE: Runs = new Map();

/** The selected runs of a list, loaded or not. Another list has a selection of its own. */
export function useSelection(rows: readonly RunSummary[], list: string) {
  const [{ runs, of }, setState] = useState({ runs: NONE, of: list });
  const selected = of === list ? runs : NONE;
  const change = useCallback(
    (next: (before: Runs) => Runs) =>
      setState((before) => ({ runs: next(before.of === list ? before.runs : NONE), of: list })),
    [list],
  );
  const current = useRef(rows);
  useEffect(() => {
    current.current = rows;
  }, [rows]);
  /** The row that was selected last, where a range begins. */
  const last = useRef<string>(undefined);

  const select: OnSelect = useCallback(
    (id, isSelected, isRange) => {
      const range = isRange ? findRange(current.current, last.current, id) : undefined;
      last.current = id;
      const changed = range ?? current.current.filter(({ run_id }) => run_id === id);
      change((before) => (isSelected ? withRuns(before, changed) : withoutRuns(before, changed)));
    },
    [change],
  );
  const selectAll = useCallback(
    (isSelected: boolean) => change((before) => (isSelected ? withRuns(before, current.current) : NONE)),
    [change],
  );
  const replace = useCallback((all: readonly RunSummary[]) => change(() => withRuns(NONE, all)), [change]);

  // As they are now, where that is known.
  const selectedRuns = useMemo(() => {
    if (selected.size === 0) return [];
    const loaded = withRuns(NONE, rows);
    return Array.from(selected.values(), (run) => loaded.get(run.run_id) ?? run);
  }, [rows, selected]);
  const ids: ReadonlySet<string> = useMemo(() => new Set(selected.keys()), [selected]);
  return { ids, runs: selectedRuns, select, selectAll, replace };
}

function findRange(
  rows: readonly RunSummary[],
  from: string | undefined,
  to: string,
): readonly RunSummary[] | undefined {
  const [a, b] = [from, to].map((id) => rows.findIndex(({ run_id }) => run_id === id));
  if (a === undefined || b === undefined || a === -1 || b === -1) return undefined;
  return rows.slice(Math.min(a, b), Math.max(a, b) + 1);
}

function withRuns(before: Runs, runs: readonly RunSummary[]): Runs {
  return new Map([...before, ...runs.map((run) => [run.run_id, run] as const)]);
}

function withoutRuns(before: Runs, runs: readonly RunSummary[]): Runs {
  const after = new Map(before);
  for (const { run_id } of runs) after.delete(run_id);
  return after;
}
