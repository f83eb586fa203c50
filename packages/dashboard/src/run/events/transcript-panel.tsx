import { Paper, Text } from "@mantine/core";
import { IconMessageOff } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { EmptyState } from "../../parts/empty-state.tsx";
import { clockText } from "../timeline/exact-times.ts";
import { VirtualRows } from "../virtual-rows.tsx";
import { EventsNotice } from "./events-notice.tsx";
import { type Passage, transcript } from "./transcript.ts";
import classes from "./transcript-panel.module.css";
import type { RunEvents } from "./use-run-events.ts";

/** What the agent said and did, and what its program wrote, as one reads it. */
export function TranscriptPanel({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  const passages = useMemo(() => transcript(events.events), [events.events]);
  if (passages.length === 0) {
    return (
      <EmptyState icon={IconMessageOff} title="Nothing was said">
        {run.finished_at === null
          ? "What the agent says, and what its program writes to its standard error, appears here as it happens."
          : "The agent said nothing, or a result hook judges it first; its result is in the overview."}
      </EmptyState>
    );
  }
  return (
    <>
      <EventsNotice run={run} events={events} />
      <Paper withBorder style={{ overflow: "hidden" }}>
        <VirtualRows items={passages} keyOf={({ id }) => id} label="Transcript" estimate={64} sticksToEnd>
          {(passage) => <PassageView passage={passage} />}
        </VirtualRows>
      </Paper>
    </>
  );
}

const VOICES: Readonly<Record<Passage["voice"], string>> = {
  agent: "Agent",
  reasoning: "Reasoning",
  program: "Program",
  hooks: "Hooks on the runner",
  tool: "Tool call",
  note: "Note",
};

function PassageView({ passage }: { readonly passage: Passage }) {
  const { voice, speaker, step, timestamp, text, isDiscarded } = passage;
  return (
    <article className={classes.passage} data-voice={voice}>
      <Text size="xs" component="h2" fw={500} className={classes.head}>
        <span>{speaker === undefined ? VOICES[voice] : `${VOICES[voice]} ${speaker}`}</span>
        {step !== undefined && <span>step {step}</span>}
        <span>{clockText(Date.parse(timestamp))}</span>
        {isDiscarded && <span>does not count: it was said again</span>}
      </Text>
      <div className={classes.text} data-discarded={isDiscarded || undefined}>
        {text}
      </div>
    </article>
  );
}
