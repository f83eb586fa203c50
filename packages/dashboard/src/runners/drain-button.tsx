import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { call } from "../api/call.ts";
import { useWrite } from "../api/use-write.ts";
import { ProblemState } from "../components/problem-state.tsx";

/** Drains or undrains a runner after a confirmation. */
export function DrainButton({ runner }: { readonly runner: RunnerRecord }) {
  const [isOpen, { open, close }] = useDisclosure();
  const client = useQueryClient();
  const { runner_id, name, state, active_runs } = runner;
  const draining = state !== "draining";
  const { mutate, isPending, error, reset } = useWrite({
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
        // The second click of a double click on the button that opened it must not close it.
        closeOnClickOutside={false}
        title={draining ? `Drain ${name}?` : `Undrain ${name}?`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          <Text size="sm">
            {draining
              ? `The runner gets no more runs. ${currentRuns(active_runs)} It stays connected and can be undrained.`
              : "The runner gets runs again."}
          </Text>
          {error !== null && <ProblemState error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={isPending} onClick={() => mutate()}>
              {draining ? "Drain" : "Undrain"}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function currentRuns(count: number): string {
  if (count === 0) return "It has no runs now.";
  return count === 1
    ? "Its current run continues to the end."
    : `Its ${count} current runs continue to the end.`;
}
