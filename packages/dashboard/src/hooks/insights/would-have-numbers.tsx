import { Text } from "@mantine/core";
import type { Insights } from "@tenterhook/protocol/runs";
import { countText } from "../../components/count-text.ts";
import { formatCount } from "../../components/format-count.ts";
import { decidedRuns } from "../../insights/counted-runs.ts";
import { RunsLink } from "../../insights/runs-link.tsx";
import { countWouldHave, VERBS } from "./would-have.ts";

interface Props {
  readonly insights: Insights;
  /** The key of the hook. */
  readonly hook: string;
  /** `in the last week` */
  readonly period: string;
}

/** `In the last week this would have blocked 12 of 4,310 calls`, with the twelve to look at. */
export function WouldHaveNumbers({ insights, hook, period }: Props) {
  const { calls, verdicts } = countWouldHave(insights.current.decisions);
  const { failed = 0 } = insights.current.decisions;
  const begin = `${period[0]?.toUpperCase()}${period.slice(1)} `;
  if (calls === 0) return <Text size="sm">{begin}it was not called.</Text>;
  if (verdicts.length === 0) {
    return (
      <Text size="sm">
        {failed === calls
          ? `${begin}it failed in ${calls === 1 ? "its only call" : `all ${countText(calls, "call")}`}.`
          : `${begin}it would have done nothing in ${countText(calls, "call")}${failedToo(failed)}.`}
      </Text>
    );
  }
  return (
    <Text size="sm" component="div">
      {begin}this would have{" "}
      {verdicts.map(({ verdict, count }, index) => (
        <span key={verdict}>
          {index > 0 && (index === verdicts.length - 1 ? " and " : ", ")}
          {VERBS[verdict] ?? verdict}{" "}
          <RunsLink
            search={decidedRuns(insights, [verdict], { hook })}
            fw={700}
            name={`${countText(count, "call")} that it would have ${VERBS[verdict] ?? verdict}`}
          >
            {formatCount(count)}
          </RunsLink>
        </span>
      ))}{" "}
      of{" "}
      <RunsLink
        search={decidedRuns(insights, Object.keys(insights.current.decisions), { hook })}
        name={`all ${countText(calls, "call")}`}
      >
        {countText(calls, "call")}
      </RunsLink>
      {failedToo(failed)}. The runs and the reasons below are what to look at before it is enforced.
    </Text>
  );
}

/** Whether an enforced hook that fails lets something pass is up to its `on_error`. */
function failedToo(failed: number): string {
  return failed === 0 ? "" : `, and it failed in ${formatCount(failed)} of them`;
}
