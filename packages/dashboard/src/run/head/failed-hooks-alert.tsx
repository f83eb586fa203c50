import { IconAlertTriangle } from "@tabler/icons-react";
import type { FailedHook } from "./failed-hooks.ts";
import { RunAlert } from "./run-alert.tsx";

/** Warns that the run completed although hooks failed. */
export function FailedHooksAlert({ hooks }: { readonly hooks: readonly FailedHook[] }) {
  const title =
    hooks.length === 1 ? "Completed, but a hook failed" : `Completed, but ${hooks.length} hooks failed`;
  const lines = hooks.map(
    ({ name, event, reason }) => `${name} on ${event}${reason === undefined ? "" : `: ${reason}`}`,
  );
  return <RunAlert tone="stopped" icon={IconAlertTriangle} title={title} message={lines.join("\n")} />;
}
