import { Badge } from "@mantine/core";
import { usePendingCount } from "../approvals/use-pending-count.ts";

/** How many questions wait for a person. */
export function PendingCount() {
  const { count, isMore, text } = usePendingCount();
  if (count === 0) return null;
  return (
    <Badge
      size="sm"
      color="red"
      variant="filled"
      circle={count < 10 && !isMore}
      aria-label={`${text} waiting`}
    >
      {text}
    </Badge>
  );
}
