import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { messageOf } from "../../parts/problem-words.ts";

/** Stops a run, after asking: what an agent has begun may not be mended by stopping it. */
export function StopButton({ run }: { readonly run: RunDetail }) {
  const [isAsking, { open, close }] = useDisclosure();
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
      <Modal opened={isAsking} onClose={close} title="Stop this run?" centered>
        <StopForm run={run} done={close} />
      </Modal>
    </>
  );
}

function StopForm({ run, done }: { readonly run: RunDetail; readonly done: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const stop = useMutation({
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
            ? "It ends at once, before a runner has begun with it."
            : "Its runner is told to end it. What the agent has done until then is not undone."}
        </Text>
        <Textarea
          label="Reason"
          description="Kept with the run"
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
            {messageOf(stop.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={done}>
            Let it go on
          </Button>
          <Button type="submit" color="red" loading={stop.isPending}>
            Stop the run
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
