import { Badge } from "@mantine/core";
import { usePendingCount } from "../components/use-pending-count.ts";

/** The number of pending approvals. */
export function PendingCount() {
  const { count, isMore, text } = usePendingCount();
  if (count === 0) return null;
  return (
    <Badge
      size="sm"
      color="red"
      variant="filled"
      circle={count < 10 && !isMore}
      aria-label={`${text} pending`}
    >
      {text}
    </Badge>
  );
}
