/** Made once: to make a formatter takes a hundred times as long as to use it, and every row shows a time. */
const EXACT = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});

/** A moment with its time zone: `15 Nov 2026, 10:00:00 CET`, in the user's own style. */
export function exactTime(time: string): string {
  return EXACT.format(new Date(time));
}

/** `14:03:05.123`, in local time. */
export function clockText(time: string | number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
