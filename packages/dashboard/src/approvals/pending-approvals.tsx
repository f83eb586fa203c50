import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { Approval } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { outcomeText } from "./approval-words.ts";
import { PendingApproval } from "./pending-approval.tsx";

interface Props {
  readonly pending: readonly Approval[];
  readonly settled: readonly Approval[];
  readonly onDecided: () => void;
}

/**
 * The questions that wait. One that somebody is writing an answer to does not vanish under their hands when another decides
 * it: it says who did.
 */
export function PendingApprovals({ pending, settled, onDecided }: Props) {
  const [engaged, setEngaged] = useState<ReadonlySet<string>>(new Set());
  const engage = (id: string, isEngaged: boolean) =>
    setEngaged((before) => {
      const after = new Set(before);
      if (isEngaged) after.add(id);
      else after.delete(id);
      return after;
    });
  const taken = settled.filter(({ approval_id }) => engaged.has(approval_id));
  return (
    <Stack gap="md">
      {taken.map((approval) => (
        <Alert
          key={approval.approval_id}
          color="gray"
          variant="light"
          role="status"
          icon={<IconInfoCircle aria-hidden />}
          title={approval.reason}
        >
          <Group justify="space-between" gap="xs">
            <Text size="sm">Somebody else was faster: it is {outcomeText(approval)}.</Text>
            <Button variant="default" size="xs" onClick={() => engage(approval.approval_id, false)}>
              Understood
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
