import { Group, Paper, Stack, Text } from "@mantine/core";
import type { Approval } from "@tenterhook/protocol/runs";
import { Disclosure } from "../components/disclosure.tsx";
import { JsonView } from "../components/json-view.tsx";
import { AgentLink, RunLink } from "../components/links.tsx";
import { Ago } from "../components/times.tsx";
import { decisionText } from "./approval-labels.ts";
import { DecisionBadge } from "./decision.tsx";

/** An approval that was decided, cancelled or expired. */
export function DecidedApproval({ approval }: { readonly approval: Approval }) {
  const { state, decision, decided_at, created_at, agent_name, reason, run_id, subject } = approval;
  return (
    <Paper withBorder px="sm" py="xs" component="article" aria-label={`${state}: ${reason}`}>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <DecisionBadge state={state} />
        <Stack gap={2} miw={0} flex={1}>
          <Text size="sm" fw={500} style={{ overflowWrap: "anywhere" }}>
            {reason}
          </Text>
          <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
            Asked <Ago time={created_at} /> · {decisionText(approval)}
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
          <Disclosure label="Details">
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
          </Disclosure>
        </Stack>
      </Group>
    </Paper>
  );
}
