import { Button, Group, Modal, Progress, Text } from "@mantine/core";
import { countText } from "../components/count-text.ts";
import { formatCount } from "../components/format-count.ts";
import type { BulkAction } from "./run-bulk.ts";

interface Props {
  readonly action: BulkAction;
  readonly count: number;
  /** How many were handled; undefined before the user has confirmed. */
  readonly handled: number | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Ends it after the current batch. */
  readonly onCancel: () => void;
}

const VERBS: Readonly<Record<BulkAction, { readonly do: string; readonly doing: string }>> = {
  stop: { do: "Stop", doing: "Stopping" },
  retry: { do: "Retry", doing: "Retrying" },
};

/** Asks before runs are stopped or retried, and shows the progress. */
export function BulkDialog({ action, count, handled, onConfirm, onClose, onCancel }: Props) {
  const { do: verb, doing } = VERBS[action];
  const isWorking = handled !== undefined;
  return (
    <Modal
      opened
      onClose={isWorking ? onCancel : onClose}
      withCloseButton={false}
      // The second click of a double click on the button that opened it must not close it.
      closeOnClickOutside={false}
      title={isWorking ? `${doing} ${countText(count, "run")}` : `${verb} ${countText(count, "run")}?`}
      centered
    >
      {isWorking ? (
        <>
          <Text size="sm" mb="xs" role="status">
            {formatCount(handled)} of {formatCount(count)}
          </Text>
          <Progress value={(100 * handled) / Math.max(1, count)} mb="md" aria-label={doing} />
        </>
      ) : (
        <Text size="sm" mb="md">
          {consequence(action, count)}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={isWorking ? onCancel : onClose}>
          Cancel
        </Button>
        <Button {...(action === "stop" && { color: "red" })} loading={isWorking} onClick={onConfirm}>
          {verb} {countText(count, "run")}
        </Button>
      </Group>
    </Modal>
  );
}

function consequence(action: BulkAction, count: number): string {
  if (action === "retry") {
    return count === 1
      ? "A new run starts with its original parameters."
      : "A new run starts for each of them, with its original parameters.";
  }
  return count === 1
    ? "Its runner stops it. What the agent has already done is not undone."
    : "Their runners stop them. What the agents have already done is not undone.";
}
