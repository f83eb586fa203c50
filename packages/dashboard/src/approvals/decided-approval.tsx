import { Badge, Group, Paper, Stack, Text } from "@mantine/core";
import type { Approval } from "@tenterhook/protocol/runs";
import { Fold } from "../parts/fold.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { AgentLink, RunLink } from "../parts/links.tsx";
import { Ago } from "../parts/times.tsx";
import { outcomeText } from "./approval-words.ts";

const COLORS = {
  pending: "gray",
  approved: "green",
  rejected: "red",
  expired: "orange",
  cancelled: "gray",
} as const;

/** A question that was settled: what came of it, by whom, when. */
export function DecidedApproval({ approval }: { readonly approval: Approval }) {
  const { state, decision, decided_at, agent_name, reason, run_id, subject } = approval;
  return (
    <Paper withBorder px="sm" py="xs" component="article" aria-label={`${state}: ${reason}`}>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <Badge color={COLORS[state]} variant="light" radius="sm" tt="none" w={84} style={{ flex: "none" }}>
          {state}
        </Badge>
        <Stack gap={2} miw={0} flex={1}>
          <Text size="sm" fw={500} style={{ overflowWrap: "anywhere" }}>
            {reason}
          </Text>
          <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
            {outcomeText(approval)}
            {decided_at !== null && (
              <>
                , <Ago time={decided_at} />
              </>
            )}
            {" · "}
            {agent_name !== null && (
              <>
                <AgentLink name={agent_name} inherit />{" "}
              </>
            )}
            <RunLink id={run_id} />
          </Text>
          <Fold label="What it was about">
            <Stack gap="xs">
              <JsonView value={subject} label="subject" />
              {decision?.value !== undefined && (
                <>
                  <Text size="xs" fw={600} c="dimmed">
                    changed to
                  </Text>
                  <JsonView value={decision.value} label="changed to" />
                </>
              )}
            </Stack>
          </Fold>
        </Stack>
      </Group>
    </Paper>
  );
}
