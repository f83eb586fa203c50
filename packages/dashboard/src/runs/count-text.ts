import { formatCount } from "../components/format-count.ts";
/** `1 run`, `1,203 runs`, or `1,000+ runs` when there are more. */
export function countText(count: number, isMore = false): string {
  if (count === 1 && !isMore) return "1 run";
  return `${formatCount(count)}${isMore ? "+" : ""} runs`;
}
