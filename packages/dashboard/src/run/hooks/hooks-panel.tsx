import { Stack } from "@mantine/core";
import { IconFishHook } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { EmptyState } from "../../components/empty-state.tsx";
import { VirtualRows } from "../virtual-rows.tsx";
import { ChildRuns } from "./child-runs.tsx";
import { HookCard } from "./hook-card.tsx";
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
            <HookCard key={hook.hook_id} hook={hook} agent={run.agent_name} approvals={run.approvals} />
          ))}
        </Stack>
      ) : (
        <VirtualRows items={hooks} keyOf={({ hook_id }) => hook_id} label="Hooks" estimate={120}>
          {(hook) => (
            <div className={classes.spaced}>
              <HookCard hook={hook} agent={run.agent_name} approvals={run.approvals} />
            </div>
          )}
        </VirtualRows>
      )}
      {child_runs.length > 0 && <ChildRuns runs={child_runs} />}
    </Stack>
  );
}
