import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useWrite } from "../api/use-write.ts";
import { ProblemState } from "../components/problem-state.tsx";

interface Props {
  /** `the agent hello` */
  readonly what: string;
  /** The consequence of deleting it. */
  readonly consequence: string;
  /** Its users; it cannot be deleted while there are any. */
  readonly usedBy: ReactNode | undefined;
  readonly remove: () => Promise<unknown>;
  readonly onRefused: () => void;
  readonly onDeleted: () => void;
}

/** Deletes after a confirmation. */
export function DeleteButton({ what, consequence, usedBy, remove, onRefused, onDeleted }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const { mutate, reset, error, isPending } = useWrite({
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
              Cannot be deleted: used by {usedBy}.
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
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
