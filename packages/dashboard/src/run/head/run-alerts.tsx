import type { RunDetail } from "@tenterhook/protocol/runs";
import { BlockedAlert } from "./blocked-alert.tsx";
import { FailureAlert } from "./failure-alert.tsx";
import { QuestionAlerts } from "./question-alerts.tsx";

/** What somebody must know first: why it did not happen, what went wrong, or that it waits for a person. */
export function RunAlerts({ run }: { readonly run: RunDetail }) {
  const reason = run.error ?? run.stop_reason;
  return (
    <>
      {run.block_reason !== null && <BlockedAlert run={run} reason={run.block_reason} />}
      <QuestionAlerts run={run} />
      {reason !== null && run.block_reason === null && <FailureAlert run={run} error={reason} />}
    </>
  );
}
