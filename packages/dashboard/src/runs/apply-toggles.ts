/**
 * A list with the changes that a group of checkboxes reports. A group knows what it showed, and what it shows after a click; the list may
 * have changed since, by another click.
 */
export function applyToggles<T extends string>(
  before: readonly T[],
  shown: readonly string[],
  chosen: readonly string[],
): readonly T[] {
  const added = chosen.filter((each) => !shown.includes(each) && !before.some((known) => known === each));
  // The group offers nothing but values of the list.
  return [...before.filter((each) => !shown.includes(each) || chosen.includes(each)), ...(added as T[])];
}
