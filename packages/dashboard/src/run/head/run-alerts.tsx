import { Code, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconBan, IconPlayerStop } from "@tabler/icons-react";
import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { useMay } from "../../access/identity.ts";
import { ApprovalCard } from "../../approvals/approval-card.tsx";
import { CannotDecide } from "../../approvals/cannot-decide.tsx";
import { NewQuestions } from "../../approvals/new-questions.tsx";
import { useQuestionBoard } from "../../approvals/use-question-board.ts";
import { RunLink } from "../../components/links.tsx";
import { HookName } from "../hooks/hook-name.tsx";
import { HookRunLink } from "../hooks/hook-run-link.tsx";
import { type BlockOrigin, blockOrigin } from "./block-origin.ts";
import { type FailedHook, failedHooks } from "./failed-hooks.ts";
import { failureAdvice } from "./failure-advice.ts";
import { RunAlert } from "./run-alert.tsx";
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

/** The pending approvals of a run, to be decided here, and those that were decided while the page was open. */
function ApprovalAlerts({ run: { approvals } }: { readonly run: RunDetail }) {
  const mayDecide = useMay("decide");
  // A run has its oldest first, a board its newest.
  const newest = approvals.toReversed();
  const { cards, waiting, onDecided, showPending } = useQuestionBoard(
    newest.filter(({ state }) => state === "pending"),
    newest.filter(({ state }) => state !== "pending"),
  );
  if (cards.length === 0) return null;
  const isPending = cards.some(({ state }) => state === "pending");
  return (
    <Stack component="section" gap="sm" aria-label={isPending ? "Approval required" : "Approval decided"}>
      {cards.map((approval) => (
        <ApprovalCard key={approval.approval_id} approval={approval} onDecided={onDecided} isOfThisRun />
      ))}
      {isPending && !mayDecide && <CannotDecide />}
      <NewQuestions count={waiting.length} show={showPending} />
    </Stack>
  );
}

/** Why a run was blocked, and by what. */
function BlockedAlert({ run, reason }: { readonly run: RunDetail; readonly reason: string }) {
  const origin = blockOrigin(run);
  return (
    <RunAlert tone="refused" icon={IconBan} title={formatTitle(origin)} message={reason}>
      {origin !== undefined && <Origin {...origin} />}
    </RunAlert>
  );
}

function formatTitle(origin: BlockOrigin | undefined): string {
  if (origin?.person !== undefined) return `Rejected by ${origin.person.decided_by}`;
  if (origin?.expired !== undefined) return "Approval expired";
  return origin?.hook.hook_type === "on_result" ? "Result blocked by a hook" : "Blocked by a hook";
}

function Origin({ hook, person, expired }: BlockOrigin) {
  return (
    <Text component="div" size="sm" mt={6}>
      {(person !== undefined || expired !== undefined) && "Requested by "}
      <HookName hook={hook} />
      <HookRunLink hook={hook} />
    </Text>
  );
}

/** Warns that the run completed although hooks failed. */
function FailedHooksAlert({ hooks }: { readonly hooks: readonly FailedHook[] }) {
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

/** The full error, and what to do about it if known. */
function FailureAlert({ run, error }: { readonly run: RunDetail; readonly error: string }) {
  const { status, error_code, hooks } = run;
  const isStopped = status === "stopped";
  const advice = failureAdvice(error_code);
  const hook = error_code === "hook_failed" ? hooks.findLast(({ state }) => state === "failed") : undefined;
  return (
    <RunAlert
      tone={isStopped ? "stopped" : "failed"}
      icon={isStopped ? IconPlayerStop : IconAlertTriangle}
      title={isStopped ? "Stopped" : "Failed"}
      message={error}
    >
      {hook !== undefined && (
        <Text component="div" size="sm" mt={6}>
          <HookName hook={hook} />
          <HookRunLink hook={hook} />
        </Text>
      )}
      {error_code !== null && (
        <Text component="div" size="sm" mt={6}>
          <Code>{error_code}</Code> {advice}
        </Text>
      )}
    </RunAlert>
  );
}
