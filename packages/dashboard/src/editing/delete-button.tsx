import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "../api/call.ts";
import { useWrite } from "../api/use-write.ts";
import { ProblemState } from "../components/problem-state.tsx";
import { storedDrafts } from "./stored-drafts.ts";

interface Props {
  readonly list: "agents" | "hooks";
  readonly name: string;
  readonly etag: string;
  /** The address of its draft, which is deleted with it. */
  readonly draft: string;
  /** The consequence of deleting it. */
  readonly consequence: string;
  /** Its users; it cannot be deleted while there are any. */
  readonly usedBy: ReactNode | undefined;
}

/** Deletes an agent or a named hook after a confirmation, and shows the list. */
export function DeleteButton({ list, name, etag, draft, consequence, usedBy }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const client = useQueryClient();
  const navigate = useNavigate();
  const readAgain = () => void client.invalidateQueries({ queryKey: [list] });
  const { mutate, reset, error, isPending } = useWrite({
    mutationFn: () => call(`DELETE /${list}/{name}`, { params: { name }, headers: { "If-Match": etag } }),
    onSuccess: () => {
      storedDrafts.forget(draft);
      void navigate({ to: `/${list}`, ignoreBlocker: true }).then(() => {
        client.removeQueries({ queryKey: [list, name] });
        readAgain();
      });
    },
    onError: readAgain,
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
        // The second click of a double click on the button that opened it must not close it.
        closeOnClickOutside={false}
        title={`Delete the ${list === "agents" ? "agent" : "hook"} ${name}?`}
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
