interface Named {
  readonly run_id: string;
}

/**
 * By how many rows what somebody is looking at has moved, when rows came or went above it. `first` is the first row that is
 * seen; when it has vanished itself, the next one that is still there counts.
 */
export function rowShift(before: readonly Named[], after: readonly Named[], first: number): number {
  // Nearly always: rows changed, or more came at the end.
  if (before[first]?.run_id === after[first]?.run_id) return 0;
  const places = new Map(after.map(({ run_id }, index) => [run_id, index]));
  for (let index = first; index < before.length; index++) {
    const place = places.get(before[index]?.run_id ?? "");
    if (place !== undefined) return place - first;
  }
  return 0;
}
