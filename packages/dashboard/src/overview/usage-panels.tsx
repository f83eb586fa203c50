import { SegmentedControl, SimpleGrid } from "@mantine/core";
import type { Insights } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { countText } from "../components/count-text.ts";
import { formatCount } from "../components/format-count.ts";
import { ChartPanel } from "../insights/chart-panel.tsx";
import { ComparedNumber } from "../insights/compared-number.tsx";
import { modelRuns } from "../insights/counted-runs.ts";
import { formatCost } from "../insights/format-numbers.ts";
import { NumberRow } from "../insights/number-row.tsx";
import { costBy, tokensBy, type UsageBy } from "./usage-chart.ts";

/** Tokens and cost, by agent or by model. */
export function UsagePanels({ insights }: { readonly insights: Insights }) {
  const [by, setBy] = useState<UsageBy>("agent");
  const { current, previous, before, currency } = insights;
  const head = by === "agent" ? "Agent" : "Model";
  const links = { link: modelRuns(insights), linkBefore: modelRuns(before) };
  const { unpriced_calls } = current.usage;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <ChartPanel
        title={`Tokens by ${by}`}
        layout="by_category"
        head={head}
        data={tokensBy(insights, by)}
        empty="No model call reported tokens in this time. They appear here by agent and by model."
        beside={<Choice value={by} onChange={setBy} />}
      >
        <NumberRow label="Tokens">
          {(["input_tokens", "output_tokens"] as const).map((key) => (
            <ComparedNumber
              key={key}
              label={key === "input_tokens" ? "Input tokens" : "Output tokens"}
              value={current.usage[key]}
              before={previous.usage[key]}
              {...links}
            />
          ))}
          <ComparedNumber
            label="Steps with model calls"
            value={current.usage.calls}
            before={previous.usage.calls}
            {...links}
          />
        </NumberRow>
      </ChartPanel>
      <ChartPanel
        title={`Cost by ${by}`}
        layout="by_category"
        head={head}
        data={costBy(insights, by)}
        empty="No cost in this time. It appears here for models whose prices the coordinator was given."
        note={
          unpriced_calls > 0
            ? `${formatCount(unpriced_calls)} of ${countText(current.usage.calls, "step")} called models without a price; the cost lacks them.`
            : undefined
        }
      >
        <NumberRow label="Cost">
          <ComparedNumber
            label="Cost"
            value={current.usage.cost}
            before={previous.usage.cost}
            format={(value) => formatCost(value, currency)}
            {...links}
          />
        </NumberRow>
      </ChartPanel>
    </SimpleGrid>
  );
}

interface ChoiceProps {
  readonly value: UsageBy;
  readonly onChange: (by: UsageBy) => void;
}

function Choice({ value, onChange }: ChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Tokens and cost by"
      value={value}
      onChange={(chosen) => onChange(chosen as UsageBy)}
      data={[
        { value: "agent", label: "Agent" },
        { value: "model", label: "Model" },
      ]}
    />
  );
}
