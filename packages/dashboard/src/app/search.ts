/** `?status=failed&agent=hello` as an object. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The reverse of `parseSearch`; empty values are left out. */
export function formatSearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}
