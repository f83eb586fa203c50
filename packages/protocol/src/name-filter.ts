// Names in a filter of runs: one, `-` for none, `*` for any, or any but some: `!a,b`. A name may be any text, because models invent the
// names of tools: what would mean something else has a backslash before it.

/** A name as a filter contains it. */
export function writeName(name: string): string {
  const written = name.replaceAll(/[\\,]/g, "\\$&");
  return /^(?:!|[-*]$)/.test(written) ? `\\${written}` : written;
}

/** The name that a filter contains. */
export function readWrittenName(written: string): string {
  return written.replaceAll(/\\([\\,!*-])/g, "$1");
}

/** The names of a list, as they are written. */
export function splitNames(list: string): readonly string[] {
  const names = [""];
  for (const [part] of list.matchAll(/\\[\\,!*-]|./gs)) {
    if (part === ",") names.push("");
    else names[names.length - 1] += part;
  }
  return names;
}
