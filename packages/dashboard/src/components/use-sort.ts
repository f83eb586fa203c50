import { useNavigate, useSearch } from "@tanstack/react-router";
import { readSort, type Sort, type SortColumn, sortRows, writeSort } from "./sort-rows.ts";

export interface SortControl<T> {
  readonly columns: readonly SortColumn<T>[];
  readonly sort: Sort;
  readonly change: (sort: Sort) => void;
  readonly apply: (rows: readonly T[]) => readonly T[];
}

/** The order of a fully loaded list. It is part of the address, so that it can be linked to. */
export function useSort<T>(columns: readonly SortColumn<T>[]): SortControl<T> {
  const { sort: text } = useSearch({ strict: false });
  const navigate = useNavigate();
  const sort = readSort(text, columns);
  return {
    columns,
    sort,
    change: (next) =>
      void navigate({
        to: ".",
        search: (before) => ({ ...before, sort: writeSort(next, columns) }),
        replace: true,
      }),
    apply: (rows) => sortRows(rows, columns, sort),
  };
}
