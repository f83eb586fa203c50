import { Text } from "@mantine/core";
import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { JsonView } from "../../parts/json-view.tsx";
import { LongText } from "../long-text.tsx";
import { Panel } from "./panel.tsx";
import { usageOf } from "./usage.ts";

/** What came out, and what it cost where that is known. */
export function ResultPanel({
  run,
  events,
}: {
  readonly run: RunDetail;
  readonly events: readonly RunEvent[];
}) {
  const usage = useMemo(() => usageOf(events), [events]);
  const { result_text, result_data } = run;
  return (
    <Panel
      title="Result"
      beside={
        usage !== undefined && (
          <Text size="sm">
            {usage.inputTokens.toLocaleString("en")} tokens in, {usage.outputTokens.toLocaleString("en")} out
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
  if (block_reason !== null) return "It has none: it was blocked.";
  switch (status) {
    case "completed":
      return "It ended well, and said nothing.";
    case "failed":
      return "It has none: it failed.";
    case "stopped":
      return "It has none: it was stopped.";
    case "finishing":
      return "It is there, but a hook judges it first.";
    default:
      return "There is none yet.";
  }
}
