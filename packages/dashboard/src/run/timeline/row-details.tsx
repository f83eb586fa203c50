import { Code, Stack, Text } from "@mantine/core";
import type { Approval, RunDetail } from "@tenterhook/protocol/runs";
import type { ReactNode } from "react";
import { decisionText } from "../../approvals/approval-labels.ts";
import { JsonView } from "../../components/json-view.tsx";
import { AnchorLink } from "../../components/router-links.ts";
import { useRunnerName } from "../../components/use-runner-name.ts";
import { visibleText } from "../../components/visible-text.ts";
import { HookDetails } from "../hooks/hook-details.tsx";
import { LongText } from "../long-text.tsx";
import { Act } from "./row-decisions.tsx";
import classes from "./timeline.module.css";
import type { PhaseDetail, StepDetail, TimelineRow, ToolDetail } from "./timeline-row.ts";

interface Props {
  readonly row: TimelineRow;
  readonly run: RunDetail;
}

/** The input and the output of a timeline row, or what it means. */
export function RowDetails({ row: { id, detail }, run }: Props) {
  switch (detail.type) {
    case "phase":
      return (
        <>
          <PhaseDetails detail={detail} />
          {/* The phases of a hook's run have longer ids. */}
          {detail.phase === "running" && id.startsWith("phase-") && <RunData run={run} />}
        </>
      );
    case "hook":
      return <HookDetails hook={detail.hook} />;
    case "tool":
      return <ToolDetails detail={detail} />;
    case "step":
      return <StepDetails detail={detail} />;
    case "approval":
      return <ApprovalDetails approval={detail.approval} />;
    case "act":
      return <Act act={detail.act} />;
    case "note":
      return <LongText label="Message" text={detail.text} />;
  }
}

function StepDetails({ detail: { text, reasoning } }: { readonly detail: StepDetail }) {
  return (
    <Stack gap="xs">
      {reasoning !== "" && <LongText label="Reasoning" text={reasoning} />}
      {text === "" ? (
        <Text size="sm">No text, or the text is withheld.</Text>
      ) : (
        <LongText label="Model output" text={text} />
      )}
      <Text size="sm">What the model was given is not recorded.</Text>
    </Stack>
  );
}

function ApprovalDetails({ approval }: { readonly approval: Approval }) {
  const { asked_by, reason, state, subject, run_id } = approval;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {asked_by} asked: {visibleText(reason)}
      </Text>
      <Text size="sm">
        {state === "pending" ? (
          <AnchorLink to="/approvals" search={{ run: run_id }} size="sm" underline="always">
            Decide
          </AnchorLink>
        ) : (
          decisionText(approval)
        )}
      </Text>
      <JsonView value={subject} label="the subject of the approval" />
    </Stack>
  );
}

/** What the run was given and what it returned. */
function RunData({ run: { parameters, result_text, result_data } }: { readonly run: RunDetail }) {
  return (
    <Stack gap="xs">
      <Labelled label="Input">
        <JsonView value={parameters} label="the input of the run" />
      </Labelled>
      {result_text !== null && <LongText label="Output" text={result_text} />}
      {result_data !== null && (
        <Labelled label="Output">
          <JsonView value={result_data} label="the output of the run" />
        </Labelled>
      )}
    </Stack>
  );
}

const PHASE_DESCRIPTIONS: Readonly<Record<PhaseDetail["phase"], string>> = {
  queued: "Waiting for a runner.",
  preparing: "The start hook decides whether the run may start, and with which parameters.",
  ready: "Ready to run, waiting for a runner.",
  claimed: "A runner has claimed the run and is about to start it.",
  running: "The runner executes the run.",
  stopping: "The runner was ordered to stop the run.",
  finishing: "Hooks check the result or the end of the run before it ends.",
  after: "Asynchronous hooks run after the end of the run.",
};

function PhaseDetails({ detail: { phase, reason, runnerId, attempt } }: { readonly detail: PhaseDetail }) {
  const runnerName = useRunnerName();
  return (
    <Text size="sm" component="div">
      {PHASE_DESCRIPTIONS[phase]}
      {runnerId !== undefined && (
        <>
          {" "}
          Runner <Code title={runnerId}>{runnerName(runnerId) ?? runnerId}</Code>
          {attempt !== undefined && `, attempt ${attempt}`}.
        </>
      )}
      {reason !== undefined && <LongText label="Reason" text={reason} />}
    </Text>
  );
}

function ToolDetails({ detail: { input, result, reason } }: { readonly detail: ToolDetail }) {
  return (
    <Stack gap="xs">
      {reason !== undefined && <LongText label="Reason" text={reason} />}
      <Labelled label="Input">
        <JsonView value={input ?? "not reported"} label="the input of the tool" />
      </Labelled>
      {result !== undefined && (
        <Labelled label="Output">
          <JsonView value={result} label="the result of the tool" />
        </Labelled>
      )}
    </Stack>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" className={classes.quiet} mb={2}>
        {label}
      </Text>
      {children}
    </div>
  );
}
