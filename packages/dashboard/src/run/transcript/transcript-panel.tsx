import { Text } from "@mantine/core";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { EventsNotice } from "../events/events-notice.tsx";
import type { RunEvents } from "../events/use-run-events.ts";
import { transcript } from "./transcript.ts";
import { transcriptMarkdown } from "./transcript-markdown.ts";
import { TranscriptView } from "./transcript-view.tsx";

/** The whole conversation: message, answers, calls with their results, and refusals. */
export function TranscriptPanel({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  const entries = useMemo(() => transcript(run, events.events), [run, events.events]);
  return (
    <TranscriptView
      entries={entries}
      label="Transcript"
      actions={
        <>
          <CopyButton
            label="Copy as Markdown"
            text={() => transcriptMarkdown(`Run ${run.run_id} of ${run.agent_name}`, entries)}
          />
          {run.finished_at === null && (
            <Text size="sm">What the agent says and does appears here as it happens.</Text>
          )}
        </>
      }
      notice={<EventsNotice run={run} events={events} />}
    />
  );
}
