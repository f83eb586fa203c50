import { Group, Text } from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useMay } from "../../access/identity.ts";
import { ButtonLink } from "../../components/router-links.ts";
import { Ago } from "../../components/times.tsx";
import { RunAlert } from "./run-alert.tsx";

/** The pending approvals of a run. */
export function ApprovalAlerts({ run: { run_id, approvals } }: { readonly run: RunDetail }) {
  const mayDecide = useMay("decide");
  return approvals
    .filter(({ state }) => state === "pending")
    .map(({ approval_id, asked_by, reason, created_at, expires_at }) => (
      <RunAlert
        key={approval_id}
        tone="question"
        icon={IconHelpCircle}
        title="Approval required"
        message={reason}
      >
        <Group gap="sm" mt={8}>
          <ButtonLink
            to="/approvals"
            search={{ run: run_id }}
            size="xs"
            variant={mayDecide ? "filled" : "default"}
          >
            {mayDecide ? "Decide" : "View approval"}
          </ButtonLink>
          <Text size="sm" component="span">
            Requested by {asked_by} <Ago time={created_at} />, expires {new Date(expires_at).toLocaleString()}
          </Text>
        </Group>
      </RunAlert>
    ));
}
