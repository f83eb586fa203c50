import { readWrittenName, splitNames } from "@tenterhook/protocol/internal";

/** A name of a filter, or what `!a,b` means: `any but a, b`. */
export function formatNames(filter: string): string {
  if (!filter.startsWith("!")) return readWrittenName(filter);
  const names = splitNames(filter.slice(1));
  return `any but ${names.map((name) => (name === "-" ? "none" : readWrittenName(name))).join(", ")}`;
}
