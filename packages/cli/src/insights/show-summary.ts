import { loadClients } from "@tenterhook/bridges/clients";
import { didYouMean, typedCommand } from "@tenterhook/internal";
import { mayDecide, normalName } from "@tenterhook/protocol/internal";
import { auditFile } from "../audit/audit-record.ts";
import { installedHooks } from "../manage/edit-hook.ts";
import { count, notify, print, printJson, terminalWidth } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { type HookFacts, OWN_AGENT } from "./decision-sums.ts";
import { enforceCommand, findFindings, type KnownHook } from "./find-findings.ts";
import { formatInsights } from "./format-insights.ts";
import { formatPeriod, type InsightPeriod } from "./insight-period.ts";
import type { InsightReport } from "./insight-report.ts";
import { readLog } from "./read-log.ts";

/** Prints what hooks decided in a period, of the decision log of this machine. */
export async function showSummary(
  period: InsightPeriod,
  hook: string | undefined,
  json: boolean,
): Promise<void> {
  const report = await readLocalInsights(period, hook);
  if (json) return printJson(report);
  const agents = new Map((await loadClients()).map(({ id, name }) => [id, name]));
  agents.set(OWN_AGENT, "tenterhook run");
  // Without a terminal, nothing is cut off.
  const width = terminalWidth();
  print(formatInsights(report, { width, agents }));
  const { unreadable_lines, file } = report.source;
  if (unreadable_lines > 0) notify(`${count(unreadable_lines, "line")} of ${file} could not be read`);
}

/** What the hooks in files decided in coding agents of this machine, from the decision log. */
async function readLocalInsights(period: InsightPeriod, name: string | undefined): Promise<InsightReport> {
  const hook = name === undefined ? undefined : normalName(name);
  const fileHooks = await installedHooks();
  const file = auditFile(fileHooks.locations);
  const { sums, recordedSince, unreadableLines } = await readLog(file, { ...period, hook });
  const { hooks } = await fileHooks.catalogue();
  const facts = new Map(sums.facts);
  const configured = hooks
    .filter(({ inactive, gone }) => inactive === undefined && gone === undefined)
    .map(({ hook: { name: configuredName, enforce, mode } }) => ({
      name: configuredName,
      isEnforced: enforce !== false,
      mayDecide: mayDecide(enforce === undefined ? { mode } : { mode, enforce }),
      toEnforce: `To enforce it: ${enforceCommand(configuredName)}`,
    }));
  const known = [...configured, ...elsewhere(facts, configured)].map((each) => withFacts(each, facts));
  if (hook !== undefined && !known.some((each) => each.name === hook)) {
    throw new UsageError(
      `no hook is called "${hook}", neither in the decision log of this period nor in your hooks folders.`,
      didYouMean(
        hook,
        known.map((each) => each.name),
        `${typedCommand()} list shows the hooks of this folder, and --since 4w searches more of the log.`,
      ),
    );
  }
  const insights = sums.toInsights();
  const wanted = known.filter((each) => hook === undefined || each.name === hook);
  return {
    source: { type: "decision_log", file, unreadable_lines: unreadableLines },
    since: new Date(period.sinceMs).toISOString(),
    until: new Date(period.untilMs).toISOString(),
    recorded_since: recordedSince,
    ...insights,
    findings: findFindings(insights, wanted, formatPeriod(period, recordedSince)),
    ...(hook !== undefined && { latest: sums.latest }),
  };
}

type Configured = Pick<KnownHook, "name" | "isEnforced" | "mayDecide" | "toEnforce">;

/** The hooks of other projects: only the log knows them. */
function elsewhere(
  facts: ReadonlyMap<string, HookFacts>,
  configured: readonly Configured[],
): readonly Configured[] {
  const names = new Set(configured.map(({ name }) => name));
  return [...facts].flatMap(([name, { isEnforced, calls }]) =>
    names.has(name) || calls === 0
      ? []
      : {
          name,
          isEnforced,
          mayDecide: false,
          toEnforce: `To enforce it, in its project: ${enforceCommand(name)}`,
        },
  );
}

function withFacts(hook: Configured, facts: ReadonlyMap<string, HookFacts>): KnownHook {
  const known = facts.get(hook.name);
  if (known === undefined) return { ...hook, calls: 0 };
  const { calls, unmatched, notEnforced: notEnforcedCalls, notEnforcedFailures } = known;
  return { ...hook, calls, unmatched, notEnforcedCalls, notEnforcedFailures };
}
