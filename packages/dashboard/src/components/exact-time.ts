/** A moment with its time zone: `15 Nov 2026, 10:00:00 CET`, in the user's own style. */
export function exactTime(time: string): string {
  return new Date(time).toLocaleString(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
}
