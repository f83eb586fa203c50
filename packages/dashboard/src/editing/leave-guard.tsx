import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import type { RefObject } from "react";

interface Props {
  readonly isEdited: boolean;
  /** True once it is saved, even before the page knows it. */
  readonly isSavedNow: RefObject<boolean>;
}

/** Asks whoever goes away with something unsaved. */
export function LeaveGuard({ isEdited, isSavedNow }: Props) {
  const { status, proceed, reset } = useBlocker({
    // Another tab of the same editor is no leaving.
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
      closeButtonProps={{ "aria-label": "Stay here" }}
      centered
    >
      <Text size="sm">What you have changed here is not saved, and is lost when you leave.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          Leave and lose it
        </Button>
      </Group>
    </Modal>
  );
}
