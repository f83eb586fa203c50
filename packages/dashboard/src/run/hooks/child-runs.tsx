import { Group, Text } from "@mantine/core";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { AgentLink, RunLink } from "../../components/links.tsx";
import { RunDuration } from "../../components/run-duration.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Ago } from "../../components/times.tsx";
import { Panel } from "../data/panel.tsx";
import classes from "./child-runs.module.css";

/** The runs that the hooks of a run started: hook runs and chained runs. */
export function ChildRuns({ runs }: { readonly runs: readonly RunSummary[] }) {
  return (
    <Panel title="Runs started by hooks">
      <ul className={classes.list}>
        {runs.map((run) => (
          <li key={run.run_id} className={classes.run}>
            <Group gap="sm">
              <RunLink id={run.run_id} />
              <AgentLink name={run.agent_name} />
              <StatusBadge status={run.status} waitingFor={run.waiting_for} blockReason={run.block_reason} />
            </Group>
            <Text size="sm" component="div" className={classes.quiet}>
              {run.kind === "chained" ? "chained" : "runs a hook"} · <RunDuration run={run} /> ·{" "}
              <Ago time={run.created_at} />
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
