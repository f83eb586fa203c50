import { Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconFishHook } from "@tabler/icons-react";
import type { HookRecord, RunDetail } from "@tenterhook/protocol/runs";
import { EmptyState } from "../../components/empty-state.tsx";
import { HOOK_STATE_COLORS, HOOK_TYPE_LABELS } from "../../components/hook-labels.ts";
import { Duration } from "../../components/times.tsx";
import { VirtualRows } from "../virtual-rows.tsx";
import { ChildRuns } from "./child-runs.tsx";
import { HookDetails } from "./hook-details.tsx";
import classes from "./hooks-panel.module.css";

/** Longer lists are virtualized: an agent with a hook on every tool call may have hundreds. */
const MAX_UNVIRTUALIZED = 30;

/** The hooks of a run, and the runs they started. */
export function HooksPanel({ run }: { readonly run: RunDetail }) {
  const { hooks, child_runs } = run;
  if (hooks.length === 0) {
    return (
      <EmptyState icon={IconFishHook} title="No hooks have run">
        {run.has_hooks ? "No hook of this run was triggered so far." : "The agent of this run has no hooks."}
      </EmptyState>
    );
  }
  return (
    <Stack gap="lg">
      {hooks.length <= MAX_UNVIRTUALIZED ? (
        <Stack gap="sm">
          {hooks.map((hook) => (
            <HookCard key={hook.hook_id} hook={hook} />
          ))}
        </Stack>
      ) : (
        <VirtualRows items={hooks} keyOf={({ hook_id }) => hook_id} label="Hooks" estimate={280}>
          {(hook) => (
            <div className={classes.spaced}>
              <HookCard hook={hook} />
            </div>
          )}
        </VirtualRows>
      )}
      {child_runs.length > 0 && <ChildRuns runs={child_runs} />}
    </Stack>
  );
}

function HookCard({ hook }: { readonly hook: HookRecord }) {
  return (
    <Paper withBorder p="md" component="article" aria-label={hook.hook_type}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="sm">
            <Title order={2} size="h5" ff="monospace">
              {hook.hook_type}
            </Title>
            <Badge variant="dot" color={HOOK_STATE_COLORS[hook.state]} tt="none" radius="sm" fw={500}>
              {STATE_LABELS[hook.state]}
            </Badge>
          </Group>
          <Text size="sm" component="div" className={classes.quiet}>
            {HOOK_TYPE_LABELS[hook.hook_type]} ·{" "}
            <Duration from={hook.started_at ?? hook.created_at} to={hook.finished_at} />
          </Text>
        </Group>
        <HookDetails hook={hook} />
      </Stack>
    </Paper>
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
