import { IconAlertTriangle } from "@tabler/icons-react";
import type { FailedHook } from "./failed-hooks.ts";
import { RunAlert } from "./run-alert.tsx";

/** A warning: the run completed, but hooks that should have judged it could not. */
export function FailedHooksAlert({ hooks }: { readonly hooks: readonly FailedHook[] }) {
  const title =
    hooks.length === 1 ? "Completed, but a hook failed" : `Completed, but ${hooks.length} hooks failed`;
  const lines = hooks.map(
    ({ name, event, reason }) => `${name} on ${event}${reason === undefined ? "" : `: ${reason}`}`,
  );
  return <RunAlert tone="stopped" icon={IconAlertTriangle} title={title} said={lines.join("\n")} />;
}
