import { Text } from "@mantine/core";
import { callsOf, type RunDetail, type RunEvent, tokensText, usageOf } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { JsonView } from "../../components/json-view.tsx";
import { LongText } from "../long-text.tsx";
import { Cost } from "./cost.tsx";
import { Panel } from "./panel.tsx";

/** The result, and its token usage if known. */
export function ResultPanel({
  run,
  events,
}: {
  readonly run: RunDetail;
  readonly events: readonly RunEvent[];
}) {
  const usage = useMemo(() => usageOf(events), [events]);
  const calls = useMemo(() => callsOf(events), [events]);
  const { result_text, result_data } = run;
  return (
    <Panel
      title="Result"
      beside={
        usage !== undefined && (
          <Text size="sm">
            {tokensText(usage)}
            <Cost calls={calls} />
          </Text>
        )
      }
    >
      {result_text !== null && <LongText label="Text" text={result_text} />}
      {result_data !== null && <JsonView value={result_data} label="the result" />}
      {result_text === null && result_data === null && <Text size="sm">{noResult(run)}</Text>}
    </Panel>
  );
}

function noResult({ status, block_reason }: RunDetail): string {
  if (block_reason !== null) return "No result: the run was blocked.";
  switch (status) {
    case "completed":
      return "The run completed without a result.";
    case "failed":
      return "No result: the run failed.";
    case "stopped":
      return "No result: the run was stopped.";
    case "finishing":
      return "A hook is checking the result.";
    default:
      return "No result yet.";
  }
}
