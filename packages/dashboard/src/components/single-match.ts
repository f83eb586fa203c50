/** The only name that contains a text; undefined when there are several or none. */
export function singleMatch(names: readonly string[], text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  const [first, ...others] = names.filter((name) => name.toLowerCase().includes(wanted));
  return wanted === "" || others.length > 0 ? undefined : first;
}
