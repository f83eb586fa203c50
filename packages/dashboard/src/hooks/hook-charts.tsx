import { Stack, Text } from "@mantine/core";
import type { HookCounts } from "@tenterhook/protocol/runs";
import classes from "./hook-charts.module.css";
import { durationBars, durationSummary, outcomeSummary, outcomes, percentileText } from "./outcomes.ts";

const CHART = { width: 160, height: 28, columns: 40 } as const;

/** Small charts of a hook: its outcomes, and its recent durations. */
export function HookCharts({ counts }: { readonly counts: HookCounts }) {
  if (counts.ran === 0) return <Text size="sm">has not run yet</Text>;
  return (
    <Stack gap={4} w={CHART.width}>
      <svg
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        width={CHART.width}
        height={CHART.height}
        role="img"
        aria-label={`Durations: ${durationSummary(counts)}`}
        className={classes.bars}
      >
        {durationBars(counts.latest, CHART).map((bar) => (
          <rect key={bar.x} {...shape(bar)} rx={1} data-state={bar.state} />
        ))}
      </svg>
      <div className={classes.outcomes} role="img" aria-label={`Outcomes: ${outcomeSummary(counts)}`}>
        {outcomes(counts).map(({ state, count }) => (
          <div key={state} data-state={state} style={{ flexGrow: count }} />
        ))}
      </div>
    </Stack>
  );
}

/** The same data as text. */
export function HookNumbers({ counts }: { readonly counts: HookCounts }) {
  return (
    <Text size="xs" component="div" mt={4}>
      <div>{outcomeSummary(counts)}</div>
      <div>{percentileText(counts)}</div>
    </Text>
  );
}

function shape({ x, y, width, height }: ReturnType<typeof durationBars>[number]) {
  return { x, y, width, height };
}
