import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { SteadyButton } from "./steady-button.tsx";
import type { Steady } from "./use-steady.ts";

interface Props {
  readonly isPending: boolean;
  readonly steady: Steady;
  readonly onReject: (reason: string) => void;
  readonly onCancel: () => void;
}

/** Rejects with an optional reason. */
export function RejectForm({ isPending, steady, onReject, onCancel }: Props) {
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
          <SteadyButton type="submit" size="sm" color="red" steady={steady} loading={isPending}>
            Reject
          </SteadyButton>
          <Button size="sm" variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
