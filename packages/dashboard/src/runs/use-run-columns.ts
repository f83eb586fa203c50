import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { isRecord } from "@tenterhook/internal";
import type { Prices, RunSummary } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { queries } from "../api/queries.ts";
import {
  type ColumnChoice,
  type ColumnName,
  RUN_COLUMNS,
  type RunColumn,
  visibleColumns,
} from "./run-columns.ts";

export interface RunColumns {
  /** The same array as long as the same columns are shown. */
  readonly columns: readonly RunColumn[];
  readonly prices: Prices | undefined;
  readonly isChosen: boolean;
  readonly choose: (names: readonly ColumnName[]) => void;
  readonly reset: () => void;
}

const STORED_AS = "tenterhook-run-columns";

/** The columns of the list of runs. The browser remembers what the user chose. */
export function useRunColumns(rows: readonly RunSummary[], isSearch: boolean): RunColumns {
  const [stored, setStored, forget] = useLocalStorage<unknown>({
    key: STORED_AS,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const choice = readChoice(stored);
  const hasUsage = rows.some(({ usage }) => usage !== null);
  const { data: prices } = useQuery({ ...queries.prices(), enabled: hasUsage });
  const shown = visibleColumns(rows, choice, prices, isSearch);
  const key = shown.map(({ name, width }) => `${name} ${width}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: names and widths are all that differs
  const columns = useMemo(() => shown, [key]);
  return {
    columns,
    prices,
    isChosen: Object.keys(choice).length > 0,
    choose: (names) => setStored(changeChoice(choice, columns, names)),
    reset: forget,
  };
}

/** Only what the user switched is stored, so that other columns still hide themselves when they are empty. */
function changeChoice(
  choice: ColumnChoice,
  columns: readonly RunColumn[],
  names: readonly ColumnName[],
): ColumnChoice {
  const before = new Set(columns.map(({ name }) => name));
  const after = new Set(names);
  const switched = RUN_COLUMNS.filter(
    ({ name, isFilled }) => isFilled !== undefined && before.has(name) !== after.has(name),
  );
  return { ...choice, ...Object.fromEntries(switched.map(({ name }) => [name, after.has(name)])) };
}

// Another version of the page may have stored it.
function readChoice(stored: unknown): ColumnChoice {
  if (!isRecord(stored)) return {};
  return Object.fromEntries(
    RUN_COLUMNS.flatMap(({ name }) => (typeof stored[name] === "boolean" ? [[name, stored[name]]] : [])),
  );
}
