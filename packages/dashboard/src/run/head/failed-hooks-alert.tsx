import { Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { RunLink } from "../../components/links.tsx";
import type { FailedHook } from "./failed-hooks.ts";
import { RunAlert } from "./run-alert.tsx";

/** Warns that the run completed although hooks failed. */
export function FailedHooksAlert({ hooks }: { readonly hooks: readonly FailedHook[] }) {
  const title =
    hooks.length === 1 ? "Completed, but a hook failed" : `Completed, but ${hooks.length} hooks failed`;
  const lines = hooks.map(
    ({ name, event, reason }) => `${name} on ${event}${reason === undefined ? "" : `: ${reason}`}`,
  );
  const withRuns = hooks.filter(({ runId }) => runId !== undefined);
  return (
    <RunAlert tone="failed" icon={IconAlertTriangle} title={title} message={lines.join("\n")}>
      {withRuns.map(({ name, event, runId = "" }) => (
        <Text key={`${name} ${event}`} component="div" size="sm" mt={6}>
          <RunLink id={runId} ff="inherit" underline="always">
            {withRuns.length === 1 ? "View the hook's run" : `View the run of ${name} on ${event}`}
          </RunLink>
        </Text>
      ))}
    </RunAlert>
  );
}
