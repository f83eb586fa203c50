import type { TimelineRow } from "./timeline-row.ts";

/** `10:00:00.120 to 10:00:01.500: 1,380 ms, starting 120 ms after the run was created`. */
export function exactTimes({ from, to: ended }: TimelineRow, to: number, origin: number): string {
  const until = ended === null ? "until now" : `to ${clockText(to)}`;
  return `${clockText(from)} ${until}: ${msText(to - from)}, starting ${msText(from - origin)} after the run was created`;
}

export function clockText(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

function msText(ms: number): string {
  return `${Math.max(0, Math.round(ms)).toLocaleString("en")} ms`;
}
