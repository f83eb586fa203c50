import { Group, Paper, Text } from "@mantine/core";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { clockText } from "../../components/exact-time.ts";
import { EventsNotice } from "../events/events-notice.tsx";
import type { RunEvents } from "../events/use-run-events.ts";
import { LongText } from "../long-text.tsx";
import { VirtualRows } from "../virtual-rows.tsx";
import { transcript } from "./transcript.ts";
import type { TextEntry, ToolEntry, TranscriptEntry } from "./transcript-entry.ts";
import { ROLE_LABELS, toolTitle, valueText } from "./transcript-labels.ts";
import { transcriptMarkdown } from "./transcript-markdown.ts";
import classes from "./transcript-panel.module.css";

/** The whole conversation: message, answers, calls with their results, and refusals. */
export function TranscriptPanel({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  const entries = useMemo(() => transcript(run, events.events), [run, events.events]);
  return (
    <>
      <Group mb="sm">
        <CopyButton
          label="Copy as Markdown"
          text={() => transcriptMarkdown(`Run ${run.run_id} of ${run.agent_name}`, entries)}
        />
        {run.finished_at === null && (
          <Text size="sm">What the agent says and does appears here as it happens.</Text>
        )}
      </Group>
      <EventsNotice run={run} events={events} />
      <Paper withBorder style={{ overflow: "hidden" }}>
        <VirtualRows items={entries} keyOf={({ id }) => id} label="Transcript" estimate={64} sticksToEnd>
          {(entry) => (entry.role === "tool" ? <ToolView entry={entry} /> : <TextView entry={entry} />)}
        </VirtualRows>
      </Paper>
    </>
  );
}

function TextView({ entry }: { readonly entry: TextEntry }) {
  const { role, text, isDiscarded } = entry;
  return (
    <article className={classes.entry} data-role={role}>
      <Head entry={entry} title={ROLE_LABELS[role]} note={isDiscarded ? "discarded" : undefined} />
      <div className={classes.text} data-discarded={isDiscarded || undefined}>
        {text}
      </div>
    </article>
  );
}

function ToolView({ entry }: { readonly entry: ToolEntry }) {
  const { status, input, result, reason, acts } = entry;
  const isRefused = status === "blocked" || status === "failed";
  return (
    <article className={classes.entry} data-role={isRefused ? "refusal" : "tool"}>
      <Head entry={entry} title={toolTitle(entry)} note={status === "running" ? "in progress" : undefined} />
      {reason !== undefined && <div className={classes.text}>{reason}</div>}
      {acts.map((act) => (
        <Text key={act} size="sm" className={classes.act}>
          {act}
        </Text>
      ))}
      <div className={classes.data}>
        <LongText label="Input" text={valueText(input)} isCode />
        {result !== undefined && result !== null && (
          <LongText label="Result" text={valueText(result)} isCode />
        )}
      </div>
    </article>
  );
}

interface HeadProps {
  readonly entry: TranscriptEntry;
  readonly title: string;
  readonly note?: string | undefined;
}

function Head({ entry: { subagent, step, timestamp }, title, note }: HeadProps) {
  return (
    <Text size="xs" component="h2" fw={500} className={classes.head}>
      <span className={classes.title}>{subagent === undefined ? title : `${title} · ${subagent}`}</span>
      {step !== undefined && <span>step {step}</span>}
      <span>{clockText(timestamp)}</span>
      {note !== undefined && <span>{note}</span>}
    </Text>
  );
}
