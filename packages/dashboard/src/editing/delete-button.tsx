import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ProblemState } from "../parts/problem-state.tsx";

interface Props {
  /** `the agent hello` */
  readonly what: string;
  /** What happens to what there is of it. */
  readonly consequence: string;
  /** Who would miss it: then it cannot be deleted. */
  readonly usedBy: ReactNode | undefined;
  readonly remove: () => Promise<unknown>;
  readonly onRefused: () => void;
  readonly onDeleted: () => void;
}

/** Deletes, when one has said twice that one means it. */
export function DeleteButton({ what, consequence, usedBy, remove, onRefused, onDeleted }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: remove,
    onSuccess: onDeleted,
    onError: onRefused,
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={18} aria-hidden />}
        onClick={() => {
          reset();
          open();
        }}
      >
        Delete
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Delete ${what}?`}
        centered
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          {error !== null && <ProblemState error={error} />}
          {usedBy === undefined ? (
            <Text size="sm">{consequence}</Text>
          ) : (
            <Text size="sm" component="div">
              It cannot be deleted while it is used by {usedBy}.
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Keep it
            </Button>
            <Button color="red" disabled={usedBy !== undefined} loading={isPending} onClick={() => mutate()}>
              Delete
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
