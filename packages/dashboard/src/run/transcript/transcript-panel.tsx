import { Paper, Text } from "@mantine/core";
import { IconMessageOff } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { EmptyState } from "../../components/empty-state.tsx";
import { clockText } from "../timeline/exact-times.ts";
import { VirtualRows } from "../virtual-rows.tsx";
import { EventsNotice } from "./events-notice.tsx";
import { type TranscriptEntry, transcript } from "./transcript.ts";
import classes from "./transcript-panel.module.css";
import type { RunEvents } from "./use-run-events.ts";

/** The output and the tool calls of the agent, and the output of its program. */
export function TranscriptPanel({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  const entries = useMemo(() => transcript(events.events), [events.events]);
  if (entries.length === 0) {
    return (
      <EmptyState icon={IconMessageOff} title="No transcript">
        {run.finished_at === null
          ? "The output of the agent and the standard error of its program appear here as they happen."
          : "The agent had no output, or a result hook withholds it. The result is in the overview."}
      </EmptyState>
    );
  }
  return (
    <>
      <EventsNotice run={run} events={events} />
      <Paper withBorder style={{ overflow: "hidden" }}>
        <VirtualRows items={entries} keyOf={({ id }) => id} label="Transcript" estimate={64} sticksToEnd>
          {(entry) => <EntryView entry={entry} />}
        </VirtualRows>
      </Paper>
    </>
  );
}

const ROLE_LABELS: Readonly<Record<TranscriptEntry["role"], string>> = {
  agent: "Agent",
  reasoning: "Reasoning",
  program: "Program",
  hooks: "Hooks on the runner",
  tool: "Tool call",
  note: "Note",
};

function EntryView({ entry }: { readonly entry: TranscriptEntry }) {
  const { role, subagent, step, timestamp, text, isDiscarded } = entry;
  return (
    <article className={classes.entry} data-role={role}>
      <Text size="xs" component="h2" fw={500} className={classes.head}>
        <span>{subagent === undefined ? ROLE_LABELS[role] : `${ROLE_LABELS[role]} ${subagent}`}</span>
        {step !== undefined && <span>step {step}</span>}
        <span>{clockText(Date.parse(timestamp))}</span>
        {isDiscarded && <span>discarded</span>}
      </Text>
      <div className={classes.text} data-discarded={isDiscarded || undefined}>
        {text}
      </div>
    </article>
  );
}
