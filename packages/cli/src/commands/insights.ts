import { defineCommand, EXIT, option, type Values } from "../command.ts";
import { ACCESS_OPTIONS, type Access, findAccess, NO_COORDINATOR } from "../fleet/access.ts";
import { DEFAULT_SINCE, type InsightPeriod, readPeriod } from "../insights/insight-period.ts";
import { readWidth, showLocal } from "../insights/show-local.ts";
import { refuseMisplaced } from "../read-arguments.ts";
import { print, printJson } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  since: option.text(
    "WHEN",
    `a duration (24h, 7d, 4w) or a time (2026-11-15T09:00); default ${DEFAULT_SINCE}`,
  ),
  hook: option.text("H", "only one hook, with its latest decisions"),
  local: option.flag("the decision log of this machine, although a coordinator is configured"),
  ...ACCESS_OPTIONS,
} as const;

/** An earlier name of `log --summary`, which can also read the insights of a coordinator. */
export const insights = defineCommand({
  usage: "insights [--since 7d] [--hook H] [--local]",
  about:
    "Shows what hooks decided and how long they took: calls by outcome, by coding agent or agent and by tool, reasons, and what to look at: hooks that\n" +
    "never fire, always pass, fail, are slow, or are not enforced, with what they would have done.\n" +
    "The numbers are those of a coordinator, if one runs on this machine or --url names one, with its runs, tokens and cost. Otherwise,\n" +
    "and with --local, they are from the decision log of this machine, which coding agents write when they call a hook.",
  options,
  examples: [
    { command: "tenterhook insights", means: "the last seven days" },
    { command: "tenterhook insights --hook no-force-push --since 4w", means: "one hook" },
    { command: "tenterhook insights --local --json | jq .findings", means: "for a program" },
  ],
  async run(values) {
    const { since = DEFAULT_SINCE, hook } = values;
    const period = readPeriod(since);
    const access = chooseCoordinator(values);
    if (access === undefined) await showLocal(period, hook, values.json);
    else await showCoordinator(access, period, hook, values.json);
    return EXIT.ok;
  },
});

/** The coordinator to read from; `undefined` for the decision log of this machine. */
function chooseCoordinator(values: Values<typeof options>): Access | undefined {
  if (values.local) {
    refuseMisplaced(values, Object.keys(ACCESS_OPTIONS), {
      reason: "is for a coordinator, and --local reads the decision log of this machine",
      hint: "Omit one of them.",
    });
    return undefined;
  }
  try {
    return findAccess(values);
  } catch (error) {
    const isNamed = (values.url ?? values.data) !== undefined;
    if (error instanceof UsageError && error.details.code === NO_COORDINATOR && !isNamed) return undefined;
    throw error;
  }
}

async function showCoordinator(
  access: Access,
  period: InsightPeriod,
  hook: string | undefined,
  json: boolean,
): Promise<void> {
  const { readCoordinatorInsights } = await import("../insights/read-coordinator.ts");
  const report = await readCoordinatorInsights(access, period, hook);
  if (json) return printJson(report);
  const { formatInsights } = await import("../insights/format-insights.ts");
  const { formatFleet } = await import("../insights/format-fleet.ts");
  const width = readWidth();
  const more = hook === undefined ? formatFleet(report, width) : [];
  print(formatInsights(report, { width, agents: new Map(), agentTitle: "agent", more }));
}
