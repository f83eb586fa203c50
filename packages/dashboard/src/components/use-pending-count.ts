import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";

/** The number of pending approvals that were read; `isMore` when there are further pages. */
export function usePendingCount(): {
  readonly count: number;
  readonly isMore: boolean;
  readonly text: string;
} {
  const { data } = useInfiniteQuery(queries.approvals({ state: "pending" }));
  const count = data?.pages.reduce((sum, { approvals }) => sum + approvals.length, 0) ?? 0;
  const isMore = data !== undefined && data.pages.at(-1)?.next_cursor !== null;
  return { count, isMore, text: isMore ? `${count}+` : String(count) };
}
