import { Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Approval, HookRecord } from "@tenterhook/protocol/runs";
import { Disclosure } from "../../components/disclosure.tsx";
import { HOOK_STATE_COLORS } from "../../components/hook-labels.ts";
import { HookLink } from "../../components/hook-link.tsx";
import { Duration } from "../../components/times.tsx";
import { HookDetails } from "./hook-details.tsx";
import { HookName } from "./hook-name.tsx";
import { HookRunLink } from "./hook-run-link.tsx";
import { type HookSummary, hookSummary } from "./hook-summary.ts";
import classes from "./hooks-panel.module.css";

interface Props {
  readonly hook: HookRecord;
  /** Of the run. */
  readonly agent: string;
  readonly approvals: readonly Approval[];
}

/** What a hook was about, what was decided and why. One that changed nothing is a line that can be opened. */
export function HookCard({ hook, agent, approvals }: Props) {
  const summary = hookSummary(hook, approvals);
  return (
    <Paper
      withBorder
      px="md"
      py={summary.isUnchanged ? 6 : "md"}
      component="article"
      aria-label={`${hook.hook_type}: ${summary.about}`}
      className={classes.card}
      data-state={hook.state}
    >
      {summary.isUnchanged ? (
        <Disclosure label={<UnchangedLine hook={hook} summary={summary} />}>
          <HookDetails hook={hook} />
          <Text size="sm" mt="xs" component="div">
            <InsightsLink hook={hook} agent={agent} />
          </Text>
        </Disclosure>
      ) : (
        <FullCard hook={hook} agent={agent} summary={summary} />
      )}
    </Paper>
  );
}

interface SummaryProps {
  readonly hook: HookRecord;
  readonly summary: HookSummary;
}

function UnchangedLine({ hook, summary: { about, decided } }: SummaryProps) {
  return (
    <span className={classes.line}>
      <span className={classes.about}>{about}</span>
      <span className={classes.quiet}>
        {hook.name ?? hook.target_name} {decided} ·{" "}
        <Duration from={hook.started_at ?? hook.created_at} to={hook.finished_at} />
      </span>
    </span>
  );
}

function FullCard({ hook, agent, summary: { about, decided, why } }: SummaryProps & Pick<Props, "agent">) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs" align="flex-start">
        <Title order={2} size="h5" className={classes.title}>
          {about}
        </Title>
        <Badge variant="light" color={HOOK_STATE_COLORS[hook.state]} tt="none" radius="sm">
          {STATE_LABELS[hook.state]}
        </Badge>
      </Group>
      <Text component="div" size="sm">
        <HookName hook={hook} /> <b>{decided}</b>
        {" · "}
        <Duration from={hook.started_at ?? hook.created_at} to={hook.finished_at} />
        <HookRunLink hook={hook} />
        {" · "}
        <InsightsLink hook={hook} agent={agent} />
      </Text>
      {why !== undefined && <Text className={classes.why}>{why}</Text>}
      <Disclosure label="Details">
        <HookDetails hook={hook} />
      </Disclosure>
    </Stack>
  );
}

/** What the hook decided in other runs. */
function InsightsLink({ hook: { name, hook_type }, agent }: Pick<Props, "hook" | "agent">) {
  return (
    <HookLink hook={name === null ? `inline:${agent}/${hook_type}` : `named:${name}`} underline="always">
      Insights of the hook
    </HookLink>
  );
}

const STATE_LABELS: Readonly<Record<HookRecord["state"], string>> = {
  pending: "pending",
  running: "running",
  waiting: "running",
  asking: "waiting for approval",
  done: "done",
  failed: "failed",
  blocked: "blocked",
  cancelled: "cancelled",
};
