import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";

interface Props {
  readonly isPending: boolean;
  readonly onReject: (reason: string) => void;
  readonly onCancel: () => void;
}

/** Rejects with an optional reason. */
export function RejectForm({ isPending, onReject, onCancel }: Props) {
  const [reason, setReason] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onReject(reason.trim());
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="Reason"
          description="Shown with the run and returned to its client. Optional."
          autosize
          minRows={2}
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          ref={(field) => field?.focus()}
        />
        <Group gap="xs">
          <Button type="submit" size="sm" color="red" loading={isPending}>
            Reject
          </Button>
          <Button size="sm" variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
