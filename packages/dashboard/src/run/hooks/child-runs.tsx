import { Group, Text } from "@mantine/core";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { AgentLink, RunLink } from "../../parts/links.tsx";
import { StatusBadge } from "../../parts/status-badge.tsx";
import { Ago, Took } from "../../parts/times.tsx";
import { Panel } from "../data/panel.tsx";
import classes from "./child-runs.module.css";

/** The runs that the hooks of a run started: those that carry a hook out, and those that go on from its end. */
export function ChildRuns({ runs }: { readonly runs: readonly RunSummary[] }) {
  return (
    <Panel title="Runs that its hooks started">
      <ul className={classes.list}>
        {runs.map((run) => (
          <li key={run.run_id} className={classes.run}>
            <Group gap="sm">
              <RunLink id={run.run_id} />
              <AgentLink name={run.agent_name} />
              <StatusBadge status={run.status} waitingFor={run.waiting_for} />
            </Group>
            <Text size="sm" component="div" className={classes.quiet}>
              {run.kind === "chained" ? "chained" : "carries out a hook"} ·{" "}
              <Took from={run.started_at ?? run.created_at} to={run.finished_at} /> ·{" "}
              <Ago time={run.created_at} />
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
