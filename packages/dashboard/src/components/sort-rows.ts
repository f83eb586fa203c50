/** A column by which the rows of a fully loaded list can be sorted: by what it shows. */
export interface SortColumn<T> {
  /** In the address. */
  readonly key: string;
  readonly label: string;
  readonly value: (row: T) => string | number;
  /** The first click shows the largest or the newest first. */
  readonly isDescendingFirst?: boolean;
}

export interface Sort {
  readonly key: string;
  readonly isDescending: boolean;
}

/** `agent-10` after `agent-9`, and `Zoe` after `ana`. */
const { compare } = new Intl.Collator("en", { numeric: true });

/** The rows by a column; rows that are equal there by the first column. */
export function sortRows<T>(rows: readonly T[], columns: readonly SortColumn<T>[], sort: Sort): readonly T[] {
  const column = columns.find(({ key }) => key === sort.key);
  const [first] = columns;
  if (column === undefined || first === undefined) return rows;
  const direction = sort.isDescending ? -1 : 1;
  return [...rows].sort(
    (one, other) =>
      direction * compareValues(column.value(one), column.value(other)) ||
      compareValues(first.value(one), first.value(other)),
  );
}

function compareValues(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : compare(String(one), String(other));
}

/** Reads `name` or `-updated`; anything else sorts by the first column. */
export function readSort<T>(text: string | undefined, columns: readonly SortColumn<T>[]): Sort {
  const key = text?.replace(/^-/, "");
  return columns.some((column) => column.key === key)
    ? { key: key ?? "", isDescending: text?.startsWith("-") === true }
    : { key: columns[0]?.key ?? "", isDescending: columns[0]?.isDescendingFirst === true };
}

/** The reverse of `readSort`; the default order is left out of the address. */
export function writeSort<T>(sort: Sort, columns: readonly SortColumn<T>[]): string | undefined {
  const normal = readSort(undefined, columns);
  if (sort.key === normal.key && sort.isDescending === normal.isDescending) return undefined;
  return `${sort.isDescending ? "-" : ""}${sort.key}`;
}

/** The order after a click on a column: the column's first direction, or the other one when it is the key already. */
export function nextSort<T>({ key, isDescendingFirst = false }: SortColumn<T>, sort: Sort): Sort {
  return { key, isDescending: sort.key === key ? !sort.isDescending : isDescendingFirst };
}
