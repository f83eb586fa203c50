import { Group, Paper, Stack, Text } from "@mantine/core";
import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { Ago } from "../components/times.tsx";
import { machineText } from "./runner-labels.ts";

/** Runners that stopped responding. Their runs were retried or have failed. */
export function OfflineRunners({ runners }: { readonly runners: readonly RunnerRecord[] }) {
  return (
    <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: "none" }} aria-label="Offline runners">
      {runners.map(({ runner_id, name, info, seen_at }) => (
        <li key={runner_id}>
          <Group px="sm" py={6} gap="sm" justify="space-between">
            <Stack gap={0} miw={0}>
              <Text size="sm" fw={500} style={{ overflowWrap: "anywhere" }}>
                {name}
              </Text>
              <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {machineText(info)}
              </Text>
            </Stack>
            <Text size="sm" c="dimmed" component="div">
              last seen <Ago time={seen_at} />
            </Text>
          </Group>
        </li>
      ))}
    </Paper>
  );
}
