import { Card, Group, Stack, Text, Title } from "@mantine/core";
import type { Insights } from "@tenterhook/protocol/runs";
import { useId } from "react";
import { formatCount } from "../../components/format-count.ts";
import { RunLink } from "../../components/links.tsx";
import { visibleText } from "../../components/visible-text.ts";
import { decidedRuns } from "../../insights/counted-runs.ts";
import { outcomeLabel } from "../../insights/outcome-groups.ts";
import { RunsLink } from "../../insights/runs-link.tsx";
import classes from "./reason-list.module.css";

interface Props {
  readonly insights: Insights;
  /** The key of the hook. */
  readonly hook: string;
}

type Reason = Insights["reasons"][number];

/** Why a hook refused, asked or failed, or would have: the most frequent reasons first, each with runs to look at. */
export function ReasonList({ insights, hook }: Props) {
  const id = useId();
  const { reasons } = insights;
  return (
    <Card
      withBorder
      padding="md"
      bg="var(--mantine-color-body)"
      component="section"
      aria-labelledby={id}
      miw={0}
    >
      <Title order={3} size="h5" id={id} mb="xs">
        Most frequent reasons
      </Title>
      {reasons.length === 0 ? (
        <Text size="sm" c="dimmed">
          When it refuses, asks or fails, its reasons are here with runs to look at.
        </Text>
      ) : (
        <ul className={classes.list}>
          {reasons.map((reason) => (
            <li key={JSON.stringify([reason.event, reason.outcome, reason.hook, reason.reason])}>
              <ReasonRow reason={reason} insights={insights} hook={hook} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function ReasonRow({ reason: row, insights, hook }: Props & { readonly reason: Reason }) {
  const { outcome, reason, count, event, example_runs } = row;
  const label = outcomeLabel(outcome);
  return (
    <Stack gap={2}>
      <Text size="sm" className={classes.reason}>
        {reason === "" ? <i>Other reasons, counted together</i> : visibleText(reason)}
      </Text>
      <Group gap="xs" fz="sm" component="div">
        <span>
          <RunsLink
            search={decidedRuns(insights, [outcome], { hook })}
            name={`${formatCount(count)} ${label} at ${event}`}
          >
            {formatCount(count)} {label}
          </RunsLink>{" "}
          at {event}
        </span>
        {example_runs.length > 0 && (
          <span>
            for example{" "}
            {example_runs.map((run, index) => (
              <span key={run}>
                {index > 0 && ", "}
                <RunLink id={run} underline="always" />
              </span>
            ))}
          </span>
        )}
      </Group>
    </Stack>
  );
}
