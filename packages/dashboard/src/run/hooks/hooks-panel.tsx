import { Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconFishHook } from "@tabler/icons-react";
import type { HookRecord, RunDetail } from "@tenterhook/protocol/runs";
import { EmptyState } from "../../parts/empty-state.tsx";
import { HOOK_STATE_COLORS, HOOK_TYPE_WORDS } from "../../parts/hook-words.ts";
import { Took } from "../../parts/times.tsx";
import { VirtualRows } from "../virtual-rows.tsx";
import { ChildRuns } from "./child-runs.tsx";
import { HookDetails } from "./hook-details.tsx";
import classes from "./hooks-panel.module.css";

/** So many are simply listed; an agent with a hook on every tool call may have hundreds. */
const MOST_LISTED = 30;

/** Every hook of a run, and the runs that they started. */
export function HooksPanel({ run }: { readonly run: RunDetail }) {
  const { hooks, child_runs } = run;
  if (hooks.length === 0) {
    return (
      <EmptyState icon={IconFishHook} title="No hook was carried out">
        {run.has_hooks
          ? "Its hooks have had no reason to act so far."
          : "The agent of this run has no hooks."}
      </EmptyState>
    );
  }
  return (
    <Stack gap="lg">
      {hooks.length <= MOST_LISTED ? (
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
              {STATE_WORDS[hook.state]}
            </Badge>
          </Group>
          <Text size="sm" component="div" className={classes.quiet}>
            {HOOK_TYPE_WORDS[hook.hook_type]} ·{" "}
            <Took from={hook.started_at ?? hook.created_at} to={hook.finished_at} />
          </Text>
        </Group>
        <HookDetails hook={hook} />
      </Stack>
    </Paper>
  );
}

const STATE_WORDS: Readonly<Record<HookRecord["state"], string>> = {
  pending: "waits to begin",
  running: "running",
  waiting: "running",
  asking: "asks a person",
  done: "done",
  failed: "failed",
  blocked: "blocked",
  cancelled: "cancelled",
};
