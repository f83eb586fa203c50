import { Badge, Text } from "@mantine/core";
import type { Approval } from "@tenterhook/protocol/runs";
import { Ago } from "../components/times.tsx";
import { decisionText } from "./approval-labels.ts";

const COLORS = {
  pending: "gray",
  approved: "green",
  rejected: "red",
  expired: "orange",
  cancelled: "gray",
} as const;

export function DecisionBadge({ state }: Pick<Approval, "state">) {
  return (
    <Badge color={COLORS[state]} variant="light" radius="sm" tt="none" w={84} style={{ flex: "none" }}>
      {state}
    </Badge>
  );
}

/** What was decided, by whom and when; announced when it appears. */
export function Decision({ approval }: { readonly approval: Approval }) {
  return (
    <Text size="sm" fw={600} role="status" component="div" style={{ overflowWrap: "anywhere" }}>
      Decision: {decisionText(approval)}
      {approval.decided_at !== null && (
        <>
          , <Ago time={approval.decided_at} />
        </>
      )}
    </Text>
  );
}
