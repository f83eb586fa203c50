import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconZoomIn } from "@tabler/icons-react";
import { tokensText } from "@tenterhook/protocol/runs";
import { decisionText } from "../../approvals/approval-labels.ts";
import { JsonView } from "../../components/json-view.tsx";
import { AnchorLink } from "../../components/router-links.ts";
import { useRunnerName } from "../../components/use-runner-name.ts";
import { Cost } from "../data/cost.tsx";
import { HookDetails } from "../hooks/hook-details.tsx";
import { LongText } from "../long-text.tsx";
import { exactTimes } from "./exact-times.ts";
import { actText } from "./hook-act.ts";
import classes from "./timeline.module.css";
import type { HookAct, PhaseDetail, RowDetail, TimelineRow, ToolDetail } from "./timeline-row.ts";

interface Props {
  readonly row: TimelineRow;
  readonly to: number;
  readonly origin: number;
  readonly zoom: () => void;
}

/** The details of a timeline row. */
export function RowDetails({ row, to, origin, zoom }: Props) {
  return (
    <Stack gap="xs" className={classes.details}>
      <Group gap="sm">
        <Text size="xs" className={classes.quiet}>
          {exactTimes(row, to, origin)}
        </Text>
        {to > row.from && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconZoomIn size={14} aria-hidden />}
            onClick={zoom}
          >
            Zoom to this
          </Button>
        )}
      </Group>
      <Detail detail={row.detail} />
    </Stack>
  );
}

function Detail({ detail }: { readonly detail: RowDetail }) {
  switch (detail.type) {
    case "phase":
      return <PhaseDetails detail={detail} />;
    case "hook":
      return <HookDetails hook={detail.hook} />;
    case "tool":
      return <ToolDetails detail={detail} />;
    case "step":
      return (
        <>
          {detail.usage !== undefined && (
            <Text size="sm">
              {detail.usage.model !== undefined && `${detail.usage.model}: `}
              {tokensText(detail.usage)}
              <Cost calls={[detail.usage]} />
            </Text>
          )}
          {detail.reasoning !== "" && <LongText label="Reasoning" text={detail.reasoning} />}
          {detail.text === "" ? (
            <Text size="sm">No text, or the text is withheld.</Text>
          ) : (
            <LongText label="Model output" text={detail.text} />
          )}
        </>
      );
    case "approval": {
      const { asked_by, reason, state, subject, run_id } = detail.approval;
      return (
        <>
          <Text size="sm">
            {asked_by} asked: {reason}
          </Text>
          <Text size="sm">
            {state === "pending" ? (
              <AnchorLink to="/approvals" search={{ run: run_id }} size="sm" underline="always">
                Decide
              </AnchorLink>
            ) : (
              decisionText(detail.approval)
            )}
          </Text>
          <JsonView value={subject} label="the subject of the approval" />
        </>
      );
    }
    case "act":
      return <Act act={detail.act} />;
    case "note":
      return <LongText label="Message" text={detail.text} />;
  }
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

function ToolDetails({ detail }: { readonly detail: ToolDetail }) {
  return (
    <>
      {detail.acts.map((act, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are only appended
        <Act key={index} act={act} />
      ))}
      {detail.reason !== undefined && <LongText label="Reason" text={detail.reason} />}
      <Labelled label="Input">
        <JsonView value={detail.input ?? "not reported"} label="the input of the tool" />
      </Labelled>
      {detail.result !== undefined && (
        <Labelled label="Result">
          <JsonView value={detail.result} label="the result of the tool" />
        </Labelled>
      )}
    </>
  );
}

function Act({ act }: { readonly act: HookAct }) {
  return (
    <Text size="sm">
      {act.hook === null ? "The permission rules" : "The hook "}
      {act.hook !== null && <Code>{act.hook}</Code>} at <Code>{act.event}</Code> {actText(act)}
    </Text>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" className={classes.quiet} mb={2}>
        {label}
      </Text>
      {children}
    </div>
  );
}
