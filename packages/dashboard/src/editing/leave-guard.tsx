import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import type { RefObject } from "react";

interface Props {
  readonly isEdited: boolean;
  /** True once the draft is saved, even before the next render. */
  readonly isSavedNow: RefObject<boolean>;
  readonly onDiscard: () => void;
}

/** Asks before unsaved changes are lost. */
export function LeaveGuard({ isEdited, isSavedNow, onDiscard }: Props) {
  const { status, proceed, reset } = useBlocker({
    // Switching tabs of the same editor is not leaving.
    shouldBlockFn: ({ current, next }) =>
      isEdited && !isSavedNow.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isEdited && !isSavedNow.current,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === "blocked"}
      onClose={() => reset?.()}
      title="Leave without saving?"
      closeButtonProps={{ "aria-label": "Close" }}
      centered
    >
      <Text size="sm">Your changes are not saved and will be lost.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          Stay
        </Button>
        <Button
          color="red"
          onClick={() => {
            onDiscard();
            proceed?.();
          }}
        >
          Discard and leave
        </Button>
      </Group>
    </Modal>
  );
}
