import { Text } from "@mantine/core";
import type { HookInUse } from "@tenterhook/protocol/runs";
import classes from "./hook-durations.module.css";
import { durationBars, durationSummary, percentileText } from "./results.ts";

const CHART = { width: 120, height: 28, columns: 40 } as const;

/** The recent durations of a hook, as bars and as text. Nothing for a hook without any. */
export function HookDurations({
  hook: { latest, p50_ms, p95_ms },
}: {
  readonly hook: Pick<HookInUse, "latest" | "p50_ms" | "p95_ms">;
}) {
  if (latest.length === 0) return null;
  return (
    <>
      <svg
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        width={CHART.width}
        height={CHART.height}
        role="img"
        aria-label={`Durations: ${durationSummary(latest)}`}
        className={classes.bars}
      >
        {durationBars(latest, CHART).map(({ state, ...bar }) => (
          <rect key={bar.x} {...bar} rx={1} data-state={state} />
        ))}
      </svg>
      <Text size="xs" mt={4}>
        {percentileText({ p50_ms, p95_ms })}
      </Text>
    </>
  );
}
