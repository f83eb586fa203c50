interface Named {
  readonly run_id: string;
}

/**
 * By how many rows the visible rows have moved because rows above them were added or removed. `first` is the first visible row;
 * if it was removed, the next remaining one counts.
 */
export function rowShift(before: readonly Named[], after: readonly Named[], first: number): number {
  // The usual case: rows changed, or rows were added at the end.
  if (before[first]?.run_id === after[first]?.run_id) return 0;
  const indexes = new Map(after.map(({ run_id }, index) => [run_id, index]));
  for (let index = first; index < before.length; index++) {
    const now = indexes.get(before[index]?.run_id ?? "");
    if (now !== undefined) return now - first;
  }
  return 0;
}
