import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { useWrite } from "../api/use-write.ts";
import { ProblemState } from "../components/problem-state.tsx";
import type { AccessRow } from "./access-rows.ts";
import { EndingAccess } from "./ending-access.tsx";

interface Props {
  readonly row: AccessRow;
  readonly onClose: () => void;
}

/** Ends an access after a confirmation, which says what else ends. */
export function RevokeDialog({ row, onClose }: Props) {
  return (
    <Modal
      opened
      onClose={onClose}
      // The second click of a double click on the button that opened it must not close it.
      closeOnClickOutside={false}
      title={`Revoke ${row.name}?`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <RevokeForm row={row} onClose={onClose} />
    </Modal>
  );
}

function RevokeForm({ row, onClose }: Props) {
  const client = useQueryClient();
  const [isUnderstood, setUnderstood] = useState(false);
  const { token_id, endsYou, endsAdministrators, kind, below } = row;
  const { mutate, isPending, error } = useWrite({
    mutationFn: () =>
      call("DELETE /tokens/{id}", {
        params: { id: token_id },
        query: endsAdministrators ? { even_last_admin: "true" } : {},
      }),
    onSuccess: async () => {
      onClose();
      // The request of a user who has ended their own session leads to the sign-in page.
      await client.invalidateQueries();
    },
  });
  const needsCheck = endsYou || endsAdministrators;
  return (
    <Stack>
      <Text size="sm">
        {kind === "session" ? "The person is signed out." : "Requests with the token are refused."}
        {below.length > 0 && (
          <>
            {" "}
            <EndingAccess below={below} />
          </>
        )}{" "}
        This cannot be undone.
      </Text>
      {endsYou && (
        <Warning title="You will be signed out">
          {row.isYou ? "This is your own session." : "You are signed in with what this has made."}
        </Warning>
      )}
      {endsAdministrators && (
        <Warning title="No administrator remains">
          Without it nobody can manage people, agents and hooks. The coordinator makes a new token in its data
          folder when it is started again.
        </Warning>
      )}
      {needsCheck && (
        <Checkbox
          label="I understand"
          checked={isUnderstood}
          onChange={({ currentTarget }) => setUnderstood(currentTarget.checked)}
        />
      )}
      {error !== null && <ProblemState error={error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="red"
          loading={isPending}
          disabled={needsCheck && !isUnderstood}
          onClick={() => mutate()}
        >
          Revoke
        </Button>
      </Group>
    </Stack>
  );
}

function Warning({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title}>
      {children}
    </Alert>
  );
}
