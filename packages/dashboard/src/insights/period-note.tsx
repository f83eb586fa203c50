import { Alert, Text } from "@mantine/core";
import type { InsightRange, Insights } from "@tenterhook/protocol/runs";
import { durationText } from "../components/durations.ts";
import { RANGES, viewerTimeZone } from "./insight-range.ts";
import { formatDay, formatPeriod } from "./step-labels.ts";

/** Counting is said to be behind from here on; a few seconds are its normal pace. */
const BEHIND_SECONDS = 30;

interface Props {
  readonly insights: Insights;
  readonly range: InsightRange;
}

/** What the numbers of a page are about: which time, in which time zone, since when there are any, and whether some are missing. */
export function PeriodNote({ insights, range }: Props) {
  const { timezone, recorded_since, passes_since, behind_seconds, before } = insights;
  const isOnlyInUtc = timezone === "UTC" && viewerTimeZone() !== "UTC";
  return (
    <>
      <Text size="sm" c="dimmed" component="div">
        {formatPeriod(insights, timezone)}, time zone {timezone}
        {isOnlyInUtc && " (of this time only days of UTC are left)"}. Compared with {RANGES[range].before}.{" "}
        {recorded_since !== null && recorded_since > before.since && (
          <>Numbers exist since {formatDay(recorded_since, timezone)}. </>
        )}
        {passes_since === null
          ? recorded_since !== null && "No calls of hooks on runners were reported yet."
          : passes_since > before.since &&
            formatDay(passes_since, timezone) !== formatDay(recorded_since ?? passes_since, timezone) && (
              <>
                Calls of hooks on runners that passed are counted since {formatDay(passes_since, timezone)}.
              </>
            )}
      </Text>
      {behind_seconds > BEHIND_SECONDS && (
        <Alert color="yellow" variant="light" role="status" mt="xs" title="Counting is behind">
          The oldest event that is not counted yet is {durationText(behind_seconds * 1_000)} old. The latest
          numbers are too low until then.
        </Alert>
      )}
    </>
  );
}
