import type { Insights } from "@tenterhook/protocol/runs";
import { visibleText } from "../../components/visible-text.ts";
import {
  type ChartData,
  type ChartRow,
  namesBeforeOthers,
  OTHER_ROWS,
  withOthers,
} from "../../insights/chart-data.ts";
import { decidedRuns, exceptNames, oneName, REMOVED_EARLY } from "../../insights/counted-runs.ts";
import { decidedInGroup } from "../../insights/decisions-chart.ts";
import { groupValues, OUTCOME_GROUPS, outcomesIn } from "../../insights/outcome-groups.ts";

/** So many agents or tools have a bar of their own. */
const MAX_BARS = 12;

/** What a hook decided, by agent. */
export function decisionsByAgent(insights: Insights, hook: string): ChartData {
  const { since, until, decisions_by_agent } = insights;
  const rows = decisions_by_agent.map(({ agent, decisions }) => ({ name: agent, decisions }));
  const nameless = { label: "unknown agent", unlisted: REMOVED_EARLY };
  const chart = byName(rows, nameless, "agents", (agent, outcomes) =>
    decidedRuns({ since, until, agent }, outcomes, { hook }),
  );
  return { ...chart, linkTotal: ({ key }) => decidedInGroup(insights, key, { hook }) };
}

/** What a hook decided, by tool. */
export function decisionsByTool(insights: Insights, hook: string): ChartData {
  const { since, until, decisions_by_tool } = insights;
  const rows = decisions_by_tool.map(({ tool, decisions }) => ({ name: tool, decisions }));
  const chart = byName(rows, { label: "no tool" }, "tools", (tool, outcomes) =>
    decidedRuns({ since, until }, outcomes, { hook, tool }),
  );
  return { ...chart, linkTotal: ({ key }) => decidedInGroup(insights, key, { hook }) };
}

interface NamedDecisions {
  readonly name: string;
  readonly decisions: Readonly<Record<string, number>>;
}

function byName(
  named: readonly NamedDecisions[],
  nameless: Pick<ChartRow, "label" | "unlisted">,
  plural: string,
  findRuns: (name: string, outcomes: readonly string[]) => ReturnType<typeof decidedRuns>,
): ChartData {
  const rows = named.map(
    ({ name, decisions }): ChartRow => ({
      key: name,
      // Models invent names of tools.
      ...(name === "" ? nameless : { label: visibleText(name) || nameless.label }),
      values: groupValues(decisions),
    }),
  );
  return {
    series: OUTCOME_GROUPS,
    rows: withOthers(rows, MAX_BARS, (count) => `${count} other ${plural}`),
    link: ({ key }, { key: group }) => {
      const chosen = OUTCOME_GROUPS.find((each) => each.key === group);
      const shown = namesBeforeOthers(rows, MAX_BARS);
      const found = named.filter(({ name }) => (key === OTHER_ROWS ? !shown.includes(name) : name === key));
      const isUnlisted = key === "" && nameless.unlisted !== undefined;
      if (chosen === undefined || isUnlisted) return undefined;
      const name = key === OTHER_ROWS ? exceptNames(shown) : oneName(key);
      const outcomes = found.flatMap(({ decisions }) => outcomesIn(chosen, decisions));
      return findRuns(name, [...new Set(outcomes)]);
    },
  };
}
