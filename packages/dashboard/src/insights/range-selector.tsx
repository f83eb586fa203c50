import { SegmentedControl } from "@mantine/core";
import { INSIGHT_RANGES, type InsightRange } from "@tenterhook/protocol/runs";
import { capitalized } from "../components/capitalized.ts";

interface Props {
  readonly value: InsightRange;
  readonly onChange: (range: InsightRange) => void;
}

/** The choice of the period that numbers are about. */
export function RangeSelector({ value, onChange }: Props) {
  return (
    <SegmentedControl
      aria-label="Period"
      value={value}
      onChange={(chosen) => onChange(chosen as InsightRange)}
      data={INSIGHT_RANGES.map((range) => ({
        value: range,
        label: capitalized(range),
      }))}
    />
  );
}
