import { count, notify, print, printJson } from "../terminal.ts";
import type { InsightPeriod } from "./insight-period.ts";

/** Prints what hooks decided in a period, of the decision log of this machine. */
export async function showLocal(
  period: InsightPeriod,
  hook: string | undefined,
  json: boolean,
): Promise<void> {
  const { readLocalInsights } = await import("./read-local.ts");
  const report = await readLocalInsights(period, hook);
  if (json) return printJson(report);
  const { loadClients } = await import("@tenterhook/bridges/clients");
  const { formatInsights } = await import("./format-insights.ts");
  const { OWN_AGENT } = await import("./decision-sums.ts");
  const agents = new Map((await loadClients()).map(({ id, name }) => [id, name]));
  agents.set(OWN_AGENT, "tenterhook run");
  print(formatInsights(report, { width: readWidth(), agents, agentTitle: "coding agent" }));
  if (report.source.type === "decision_log" && report.source.unreadable_lines > 0)
    notify(`${count(report.source.unreadable_lines, "line")} of ${report.source.file} could not be read`);
}

/** The width of the terminal; without one, nothing is cut off. */
export function readWidth(): number {
  return process.stdout.isTTY ? Math.max(40, process.stdout.columns || 80) : Number.POSITIVE_INFINITY;
}
