import { Badge } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";

/** How many questions wait for a person. */
export function PendingCount() {
  const { data } = useInfiniteQuery(queries.approvals({ state: "pending" }));
  const count = data?.pages.reduce((sum, { approvals }) => sum + approvals.length, 0) ?? 0;
  if (count === 0) return null;
  const isMore = data?.pages.at(-1)?.next_cursor !== null;
  return (
    <Badge
      size="sm"
      color="red"
      variant="filled"
      circle={count < 10 && !isMore}
      aria-label={`${count} waiting`}
    >
      {isMore ? `${count}+` : count}
    </Badge>
  );
}
