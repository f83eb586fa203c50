import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconZoomIn } from "@tabler/icons-react";
import { JsonView } from "../../parts/json-view.tsx";
import { AnchorLink } from "../../parts/router-links.ts";
import { HookDetails } from "../hooks/hook-details.tsx";
import { LongText } from "../long-text.tsx";
import { exactTimes } from "./exact-times.ts";
import { wordsOfAct } from "./hook-act.ts";
import classes from "./timeline.module.css";
import type { HookAct, PhaseDetail, RowDetail, TimelineRow, ToolDetail } from "./timeline-row.ts";

interface Props {
  readonly row: TimelineRow;
  readonly to: number;
  readonly origin: number;
  readonly zoom: () => void;
}

/** What is behind a line of the timeline. */
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
      <Inside detail={row.detail} />
    </Stack>
  );
}

function Inside({ detail }: { readonly detail: RowDetail }) {
  switch (detail.type) {
    case "phase":
      return <PhaseInside detail={detail} />;
    case "hook":
      return <HookDetails hook={detail.hook} />;
    case "tool":
      return <ToolInside detail={detail} />;
    case "step":
      return (
        <>
          {detail.reasoning !== "" && <LongText label="Reasoning" text={detail.reasoning} />}
          {detail.said === "" ? (
            <Text size="sm">It said nothing, or what it said is withheld.</Text>
          ) : (
            <LongText label="What the agent said" text={detail.said} />
          )}
        </>
      );
    case "approval": {
      const { asked_by, reason, state, decided_by, subject, run_id } = detail.approval;
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
              `${state} by ${decided_by ?? "nobody"}`
            )}
          </Text>
          <JsonView value={subject} label="what is asked about" />
        </>
      );
    }
    case "act":
      return <Act act={detail.act} />;
    case "note":
      return <LongText label="What was told" text={detail.text} />;
  }
}

const PHASE_WORDS: Readonly<Record<PhaseDetail["phase"], string>> = {
  queued: "It waits until a runner asks for work.",
  preparing: "Its start hook decides whether it may run, and with which parameters.",
  ready: "It may run, and waits until a runner asks for work.",
  claimed: "A runner has it, and is about to begin.",
  running: "The runner carries it out.",
  stopping: "The runner has been told to end it.",
  finishing: "Hooks judge its result, or are told of its end, before it ends.",
  after: "Hooks that nobody waits for are carried out after the run's end.",
};

function PhaseInside({ detail: { phase, reason, runnerId, attempt } }: { readonly detail: PhaseDetail }) {
  return (
    <Text size="sm" component="div">
      {PHASE_WORDS[phase]}
      {runnerId !== undefined && (
        <>
          {" "}
          Runner <Code>{runnerId}</Code>
          {attempt !== undefined && `, attempt ${attempt}`}.
        </>
      )}
      {reason !== undefined && <LongText label="Why" text={reason} />}
    </Text>
  );
}

function ToolInside({ detail }: { readonly detail: ToolDetail }) {
  return (
    <>
      {detail.acts.map((act, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are in their order, and only ever added to
        <Act key={index} act={act} />
      ))}
      {detail.reason !== undefined && <LongText label="Why it has no result" text={detail.reason} />}
      <Labelled label="Input">
        <JsonView value={detail.input ?? "not told"} label="the input of the tool" />
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
      {act.hook === null ? "A permission" : "The hook "}
      {act.hook !== null && <Code>{act.hook}</Code>} at <Code>{act.event}</Code> {wordsOfAct(act)}
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
