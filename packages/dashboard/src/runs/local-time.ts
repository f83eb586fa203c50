/** A time as the value of a `datetime-local` input: `2026-11-15T10:00`. */
export function toLocalInput(iso: string | undefined): string {
  if (iso === undefined) return "";
  const date = new Date(iso);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The reverse; `undefined` for an incomplete time. */
export function fromLocalInput(text: string): string | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
