import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import type { RunSummary, SessionDetail } from "@tenterhook/protocol/runs";
import { useMemo, useState } from "react";
import { CopyButton } from "../components/copy-button.tsx";
import { countText } from "../components/count-text.ts";
import { RunLink } from "../components/links.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { Ago } from "../components/times.tsx";
import { useRunsWithEvents } from "../run/events/use-runs-with-events.ts";
import colors from "../run/run-page.module.css";
import { transcriptMarkdown } from "../run/transcript/transcript-markdown.ts";
import { TranscriptView } from "../run/transcript/transcript-view.tsx";
import { conversation } from "./conversation.ts";

/** As many runs are read at a time. */
const RUNS_AT_A_TIME = 10;

/** The conversation over the runs of a session, the oldest first, up to what is said now. */
export function SessionConversation({ session }: { readonly session: SessionDetail }) {
  const { runs, run_count, session_id, agent_name } = session;
  const [count, setCount] = useState(RUNS_AT_A_TIME);
  const shown = useMemo(() => runs.slice(0, count).toReversed(), [runs, count]);
  const read = useRunsWithEvents(shown.map(({ run_id }) => run_id));
  const { entries, starts } = useMemo(() => conversation(shown, read), [shown, read]);
  if (runs.length === 0)
    return <Text size="sm">The runs of this session were deleted because of their age.</Text>;
  if (entries.length === 0) return <Loading />;
  return (
    <div className={colors.page}>
      <TranscriptView
        entries={entries}
        label="Conversation"
        actions={
          <CopyButton
            label="Copy as Markdown"
            text={() => transcriptMarkdown(`Session ${session_id} of ${agent_name}`, entries)}
          />
        }
        notice={
          shown.length < run_count && (
            <Group gap="sm" mb="sm">
              <Text size="sm">
                The latest {shown.length} of {countText(run_count, "run")}.
              </Text>
              {shown.length < runs.length && (
                <Button size="compact-sm" variant="default" onClick={() => setCount(count + RUNS_AT_A_TIME)}>
                  Show earlier runs
                </Button>
              )}
            </Group>
          )
        }
        above={({ id }) => {
          const run = starts.get(id);
          return run === undefined ? null : <RunHead run={run} />;
        }}
      />
    </div>
  );
}

/** Stands above the first entry of a run. */
function RunHead({ run }: { readonly run: RunSummary }) {
  return (
    <Group gap="sm" px="md" py={6}>
      <RunLink id={run.run_id} fw={500} />
      <StatusBadge status={run.status} waitingFor={run.waiting_for} blockReason={run.block_reason} />
      <Text size="sm" component="div">
        <Ago time={run.created_at} />
      </Text>
    </Group>
  );
}

function Loading() {
  return (
    <Stack role="status" aria-label="Loading">
      <Skeleton h={60} />
      <Skeleton h={60} />
    </Stack>
  );
}
