import { Text } from "@mantine/core";
import type { Insights } from "@tenterhook/protocol/runs";
import { countText } from "../../components/count-text.ts";
import { durationText } from "../../components/durations.ts";
import { ComparedNumber } from "../../insights/compared-number.tsx";
import { decidedRuns } from "../../insights/counted-runs.ts";
import { formatShare } from "../../insights/format-numbers.ts";
import { NumberRow } from "../../insights/number-row.tsx";
import { countGroup, OUTCOME_GROUPS, outcomesIn } from "../../insights/outcome-groups.ts";
import { type HookFacts, readHookFacts } from "./hook-facts.ts";

interface Props {
  readonly insights: Insights;
  /** The key of the hook. */
  readonly hook: string;
}

/** How often a hook was called, what it decided and how long it took, with the period before. Counts lead to their runs. */
export function HookNumbers({ insights, hook }: Props) {
  const { current, previous, before } = insights;
  const facts = readHookFacts(insights);
  const [now, earlier] = [current.decisions, previous.decisions];
  const groups = OUTCOME_GROUPS.filter((group) => countGroup(group, now) + countGroup(group, earlier) > 0);
  const links = {
    link: decidedRuns(insights, Object.keys(now), { hook }),
    linkBefore: decidedRuns(before, Object.keys(earlier), { hook }),
  };
  const calls = Object.values(earlier).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <NumberRow label="Numbers of the hook">
        <ComparedNumber label="Calls" value={facts.calls} before={calls} {...links} />
        {groups.map((group) => (
          <ComparedNumber
            key={group.key}
            label={group.label}
            value={countGroup(group, now)}
            before={countGroup(group, earlier)}
            link={decidedRuns(insights, outcomesIn(group, now), { hook })}
            linkBefore={decidedRuns(before, outcomesIn(group, earlier), { hook })}
          />
        ))}
        <ComparedNumber
          label="p50 (estimate)"
          value={current.hook_duration.p50_ms}
          before={previous.hook_duration.p50_ms}
          format={durationText}
          {...links}
        />
        <ComparedNumber
          label="p95 (estimate)"
          value={current.hook_duration.p95_ms}
          before={previous.hook_duration.p95_ms}
          format={durationText}
          {...links}
        />
      </NumberRow>
      {facts.measured > 0 && <Text size="sm">{describeTime(facts)}</Text>}
    </>
  );
}

function describeTime({ measured, hookMs, runMs }: HookFacts): string {
  const calls = `${countText(measured, "measured call")} took ${durationText(hookMs)} together`;
  return runMs === 0
    ? `${calls}.`
    : `${calls}: ${formatShare(hookMs, runMs)} of the time of the runs of its agents (an estimate).`;
}
