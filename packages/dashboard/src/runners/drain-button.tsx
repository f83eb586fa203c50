import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { ProblemState } from "../parts/problem-state.tsx";

/** Gives a runner no more runs, or again some; what that means is said first. */
export function DrainButton({ runner }: { readonly runner: RunnerRecord }) {
  const [isOpen, { open, close }] = useDisclosure();
  const client = useQueryClient();
  const { runner_id, name, state, active_runs } = runner;
  const draining = state !== "draining";
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => call("POST /runners/{id}/drain", { params: { id: runner_id }, body: { draining } }),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: ["runners"] });
    },
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`${draining ? "Drain" : "Undrain"} ${name}`}
        onClick={() => {
          reset();
          open();
        }}
      >
        {draining ? "Drain" : "Undrain"}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={draining ? `Drain ${name}?` : `Let ${name} take runs again?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          <Text size="sm">
            {draining
              ? `It is given no more runs. ${carriedOn(active_runs)} It stays connected, and can be let take runs again.`
              : "It is given runs as before."}
          </Text>
          {error !== null && <ProblemState error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={isPending} onClick={() => mutate()}>
              {draining ? "Drain it" : "Let it take runs"}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function carriedOn(count: number): string {
  if (count === 0) return "It has none now.";
  return count === 1
    ? "The one that it has goes on to its end."
    : `The ${count} that it has go on to their end.`;
}
