import { clockText } from "../../components/exact-time.ts";
import { formatCount } from "../../components/format-count.ts";
import type { TimelineRow } from "./timeline-row.ts";

/** `10:00:00.120 to 10:00:01.500: 1,380 ms, starting 120 ms after the run was created`. */
export function exactTimes({ from, to: ended }: TimelineRow, to: number, origin: number): string {
  const until = ended === null ? "until now" : `to ${clockText(to)}`;
  return `${clockText(from)} ${until}: ${msText(to - from)}, starting ${msText(from - origin)} after the run was created`;
}

function msText(ms: number): string {
  return `${formatCount(Math.max(0, Math.round(ms)))} ms`;
}
