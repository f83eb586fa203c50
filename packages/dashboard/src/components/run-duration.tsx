import { Tooltip } from "@mantine/core";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { durationText } from "./durations.ts";
import { Duration } from "./times.tsx";

type Times = Pick<RunSummary, "created_at" | "started_at" | "finished_at">;

/** How long a runner has worked on a run. The tooltip has the time of waiting and the total. */
export function RunDuration({ run }: { readonly run: Times }) {
  return (
    <Tooltip label={durationParts(run)} multiline maw={320}>
      <span>{run.started_at === null ? "–" : <Duration from={run.started_at} to={run.finished_at} />}</span>
    </Tooltip>
  );
}

/** `Waiting 1.2 s, working 3.4 s, total 4.6 s`. The duration of a run is always the time of work. */
export function durationParts({ created_at, started_at, finished_at }: Times): string {
  const ms = (from: string, to: string) => durationText(Date.parse(to) - Date.parse(from));
  if (started_at === null && finished_at === null) return "Still waiting";
  const waiting = `Waiting ${ms(created_at, started_at ?? finished_at ?? created_at)}`;
  if (finished_at === null) return `${waiting}, working now`;
  const working = started_at === null ? "never worked on" : `working ${ms(started_at, finished_at)}`;
  return `${waiting}, ${working}, total ${ms(created_at, finished_at)}`;
}
