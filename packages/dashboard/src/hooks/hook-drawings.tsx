import { Stack, Text } from "@mantine/core";
import type { HookCounts } from "@tenterhook/protocol/runs";
import classes from "./hook-drawings.module.css";
import { durationBars, durationWords, outcomes, outcomeWords, percentileWords } from "./outcomes.ts";

const DRAWING = { width: 160, height: 28, places: 40 } as const;

/** How a hook has done, small: what came of it, and how long the latest took. */
export function HookDrawings({ counts }: { readonly counts: HookCounts }) {
  if (counts.ran === 0) return <Text size="sm">has not run yet</Text>;
  return (
    <Stack gap={4} w={DRAWING.width}>
      <svg
        viewBox={`0 0 ${DRAWING.width} ${DRAWING.height}`}
        width={DRAWING.width}
        height={DRAWING.height}
        role="img"
        aria-label={`Durations: ${durationWords(counts)}`}
        className={classes.bars}
      >
        {durationBars(counts.latest, DRAWING).map((bar) => (
          <rect key={bar.x} {...shape(bar)} rx={1} data-state={bar.state} />
        ))}
      </svg>
      <div className={classes.outcomes} role="img" aria-label={`Outcomes: ${outcomeWords(counts)}`}>
        {outcomes(counts).map(({ state, count }) => (
          <div key={state} data-state={state} style={{ flexGrow: count }} />
        ))}
      </div>
    </Stack>
  );
}

/** The same in numbers. */
export function HookNumbers({ counts }: { readonly counts: HookCounts }) {
  return (
    <Text size="xs" component="div" mt={4}>
      <div>{outcomeWords(counts)}</div>
      <div>{percentileWords(counts)}</div>
    </Text>
  );
}

function shape({ x, y, width, height }: ReturnType<typeof durationBars>[number]) {
  return { x, y, width, height };
}
