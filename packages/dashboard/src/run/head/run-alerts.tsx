import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { ApprovalAlerts } from "./approval-alerts.tsx";
import { BlockedAlert } from "./blocked-alert.tsx";
import { failedHooks } from "./failed-hooks.ts";
import { FailedHooksAlert } from "./failed-hooks-alert.tsx";
import { FailureAlert } from "./failure-alert.tsx";
import { WaitingAlert } from "./waiting-alert.tsx";

interface Props {
  readonly run: RunDetail;
  readonly events: readonly RunEvent[];
}

/** The most important notices: blocked, failed, or waiting for approval or for a runner. */
export function RunAlerts({ run, events }: Props) {
  const reason = run.error ?? run.stop_reason;
  const failed = run.status === "completed" ? failedHooks(run, events) : [];
  return (
    <>
      {run.waiting !== null && <WaitingAlert run={run} waiting={run.waiting} />}
      <ApprovalAlerts run={run} />
      {run.block_reason !== null && <BlockedAlert run={run} reason={run.block_reason} />}
      {reason !== null && run.block_reason === null && <FailureAlert run={run} error={reason} />}
      {failed.length > 0 && <FailedHooksAlert hooks={failed} />}
    </>
  );
}
