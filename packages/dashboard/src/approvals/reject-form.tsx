import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";

interface Props {
  readonly isPending: boolean;
  readonly onReject: (reason: string) => void;
  readonly onCancel: () => void;
}

/** No, and why. */
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
          label="Why not?"
          description="The run is shown with this reason, and whoever started it is told. May be left empty."
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
