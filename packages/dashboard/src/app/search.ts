/** `?status=failed&agent=hello` as words by their names. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** And back; what is empty is left out. */
export function formatSearch(search: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return words.length === 0 ? "" : `?${new URLSearchParams(words)}`;
}
