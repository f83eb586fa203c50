import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerStop } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useWrite } from "../../api/use-write.ts";
import { errorMessage } from "../../components/error-message.ts";

/** Stops a run after a confirmation, because what the agent has done is not undone. */
export function StopButton({ run }: { readonly run: RunDetail }) {
  const [isOpen, { open, close }] = useDisclosure();
  const isStopping = run.status === "stopping";
  return (
    <>
      <Button
        size="xs"
        color="red"
        variant="outline"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        disabled={isStopping}
        onClick={open}
      >
        {isStopping ? "Stopping" : "Stop"}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        // The second click of a double click on the button that opened it must not close it.
        closeOnClickOutside={false}
        title="Stop this run?"
        closeButtonProps={{ "aria-label": "Close" }}
        centered
      >
        <StopForm run={run} done={close} />
      </Modal>
    </>
  );
}

function StopForm({ run, done }: { readonly run: RunDetail; readonly done: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const stop = useWrite({
    mutationFn: () => {
      const body = reason.trim() === "" ? {} : { reason: reason.trim() };
      return call("POST /runs/{id}/stop", { params: { id: run.run_id }, body });
    },
    onSuccess: async () => {
      done();
      await client.invalidateQueries({ queryKey: ["run", run.run_id] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        stop.mutate();
      }}
    >
      <Stack>
        <Text size="sm">
          {run.runner_id === null
            ? "The run ends immediately: no runner has started it."
            : "The runner stops the run. What the agent has already done is not undone."}
        </Text>
        <Textarea
          label="Reason"
          description="Stored with the run"
          placeholder="Optional"
          autosize
          minRows={2}
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        {stop.error !== null && (
          <Alert color="red" role="alert">
            {errorMessage(stop.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={done}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={stop.isPending}>
            Stop the run
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
