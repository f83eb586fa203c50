/** A name of a filter, or what `!a,b` means: `any but a, b`. */
export function formatNames(filter: string): string {
  if (!filter.startsWith("!")) return filter;
  const names = filter.slice(1).split(",");
  return `any but ${names.map((name) => (name === "-" ? "none" : name)).join(", ")}`;
}
