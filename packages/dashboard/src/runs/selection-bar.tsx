import { Button, Group, Modal, Paper, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconPlayerStop, IconReload, IconX } from "@tabler/icons-react";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { useRef } from "react";
import { IdempotencyKey } from "../api/idempotency-key.ts";
import { useWrite } from "../api/use-write.ts";
import { type BulkAction, isFor, runBulk } from "./run-bulk.ts";
import classes from "./runs-table.module.css";

interface Props {
  readonly selected: readonly RunSummary[];
  readonly onClear: () => void;
}

const DID: Readonly<Record<BulkAction, string>> = { stop: "Stop requested for", retry: "Retried" };

/** Stops or retries the selected runs. */
export function SelectionBar({ selected, onClear }: Props) {
  const [isAsking, { open, close }] = useDisclosure();
  const stoppable = selected.filter((run) => isFor("stop", run));
  const retryable = selected.filter((run) => isFor("retry", run));
  const key = useRef(new IdempotencyKey());
  const bulk = useWrite({
    mutationFn: (action: BulkAction) =>
      runBulk(
        action,
        (action === "stop" ? stoppable : retryable).map(({ run_id }) => run_id),
        key.current,
      ),
    onSuccess: ({ done, refused, why, isLost }, action) => {
      // The same runs may be retried again later. After a lost response, the same request must not start them twice.
      if (!isLost) key.current = new IdempotencyKey();
      close();
      onClear();
      notifications.show({
        color: refused === 0 ? "green" : "red",
        title: `${DID[action]} ${countText(done)}`,
        message: refused === 0 ? "" : `Not possible for ${countText(refused)}: ${why}`,
      });
    },
  });
  if (selected.length === 0) return null;
  return (
    <Paper
      withBorder
      shadow="sm"
      px="sm"
      py="xs"
      className={classes.selection}
      role="region"
      aria-label="Selection"
    >
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {countText(selected.length)} selected
        </Text>
        <Button
          size="xs"
          color="red"
          variant="outline"
          disabled={stoppable.length === 0}
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={open}
        >
          Stop {stoppable.length}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={retryable.length === 0}
          loading={bulk.isPending && bulk.variables === "retry"}
          leftSection={<IconReload size={16} aria-hidden />}
          onClick={() => bulk.mutate("retry")}
        >
          Retry {retryable.length}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} aria-hidden />}
          onClick={onClear}
        >
          Clear selection
        </Button>
      </Group>
      <Modal opened={isAsking} onClose={close} title={`Stop ${countText(stoppable.length)}?`} centered>
        <Text size="sm" mb="md">
          Their runners stop them. What the agents have already done is not undone.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button color="red" loading={bulk.isPending} onClick={() => bulk.mutate("stop")}>
            Stop {countText(stoppable.length)}
          </Button>
        </Group>
      </Modal>
    </Paper>
  );
}

function countText(count: number): string {
  return count === 1 ? "1 run" : `${count.toLocaleString("en")} runs`;
}
