import { formatCount } from "./format-count.ts";

interface Options {
  /** Whether there are more than were counted. */
  readonly isMore?: boolean;
  /** Default: the noun with an s. */
  readonly plural?: string;
}

/** A number with its noun: `1 run`, `1,203 runs`, or `1,000+ runs` when there are more. */
export function countText(
  count: number,
  noun: string,
  { isMore = false, plural = `${noun}s` }: Options = {},
): string {
  return `${formatCount(count)}${isMore ? "+" : ""} ${count === 1 && !isMore ? noun : plural}`;
}
