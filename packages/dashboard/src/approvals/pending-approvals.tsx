import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { Approval } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { decisionText } from "./approval-labels.ts";
import { PendingApproval } from "./pending-approval.tsx";

interface Props {
  readonly pending: readonly Approval[];
  readonly resolved: readonly Approval[];
  readonly onDecided: () => void;
}

/**
 * Pending approvals. When another user decides an approval whose form is open, a notice replaces it.
 */
export function PendingApprovals({ pending, resolved, onDecided }: Props) {
  const [engaged, setEngaged] = useState<ReadonlySet<string>>(new Set());
  const engage = (id: string, isEngaged: boolean) =>
    setEngaged((before) => {
      const after = new Set(before);
      if (isEngaged) after.add(id);
      else after.delete(id);
      return after;
    });
  const decidedElsewhere = resolved.filter(({ approval_id }) => engaged.has(approval_id));
  return (
    <Stack gap="md">
      {decidedElsewhere.map((approval) => (
        <Alert
          key={approval.approval_id}
          color="gray"
          variant="light"
          role="status"
          icon={<IconInfoCircle aria-hidden />}
          title={approval.reason}
        >
          <Group justify="space-between" gap="xs">
            <Text size="sm">Already decided: {decisionText(approval)}.</Text>
            <Button variant="default" size="xs" onClick={() => engage(approval.approval_id, false)}>
              Dismiss
            </Button>
          </Group>
        </Alert>
      ))}
      {pending.map((approval) => (
        <PendingApproval
          key={approval.approval_id}
          approval={approval}
          onEngaged={(isEngaged) => engage(approval.approval_id, isEngaged)}
          onDecided={onDecided}
        />
      ))}
    </Stack>
  );
}
