import { isRequestError } from "@tenterhook/client";
import { didYouMean, typedCommand } from "@tenterhook/internal";
import type { Insights } from "@tenterhook/protocol/runs";
import type { Access } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { listAll } from "../fleet/list-all.ts";
import { requestUsageError } from "../fleet/request-usage-error.ts";
import { UsageError } from "../usage-error.ts";
import { enforceCommand, findFindings, type KnownHook } from "./find-findings.ts";
import { formatPeriod, type InsightPeriod } from "./insight-period.ts";
import type { InsightReport } from "./insight-report.ts";

/** The insights of a coordinator, with the sentences of the command. */
export type FleetReport = InsightReport & Insights;

/** At most this many named hooks are known by name. */
const MAX_HOOKS = 1_000;
const LOCAL_HINT = `For the decision log of this machine: ${typedCommand()} log --summary`;

/** What hooks and runs of a coordinator did. */
export async function readCoordinatorInsights(
  access: Access,
  period: InsightPeriod,
  hook: string | undefined,
): Promise<FleetReport> {
  const client = new CoordinatorClient(access);
  const since = new Date(period.sinceMs).toISOString();
  try {
    const insights = await client.coordinator.readInsights({ since, ...(hook !== undefined && { hook }) });
    const known = await listKnownHooks(client, access, insights);
    if (hook !== undefined && !known.some(({ name }) => name === hook)) {
      const { hooks } = await client.coordinator.readInsights({ since });
      throw unknownHook(hook, [...known.map(({ name }) => name), ...hooks.map((row) => row.hook)]);
    }
    const wanted = known.filter(({ name }) => hook === undefined || name === hook);
    const findings = findFindings(insights, wanted, formatPeriod(period, insights.recorded_since));
    return { source: { type: "coordinator", url: access.url }, ...insights, findings };
  } catch (error) {
    throw explained(error, access.url);
  }
}

/** Named hooks, also those that were not called, and the others that were. */
async function listKnownHooks(
  client: CoordinatorClient,
  { url }: Access,
  { hooks }: Insights,
): Promise<readonly KnownHook[]> {
  const named = await listAll(
    MAX_HOOKS,
    (paging) => client.hooks.list(paging),
    (page) => page.hooks,
  );
  const called = new Map(hooks.filter(({ kind }) => kind !== "named").map((row) => [row.hook, row]));
  const wouldHave = (decisions: Readonly<Record<string, number>>) =>
    Object.keys(decisions).some((outcome) => outcome.startsWith("would_"));
  return [
    ...named.map(({ name, definition }) => ({
      name,
      isEnforced: definition.enforce !== false,
      mayDecide: definition.mode !== "async",
      toEnforce: `To enforce it, an administrator opens ${url}/hooks`,
    })),
    ...Array.from(called.values(), ({ hook, kind, decisions }) => ({
      name: hook,
      isEnforced: !wouldHave(decisions),
      mayDecide: false,
      toEnforce:
        kind === "runner"
          ? `To enforce it, on the runner's machine: ${enforceCommand(hook)}`
          : "To enforce it, remove enforce: false from its agent's blueprint",
    })),
  ];
}

function unknownHook(hook: string, names: readonly string[]): UsageError {
  return new UsageError(
    `no hook is called "${hook}", neither among the named hooks of the coordinator nor in the calls of this period.`,
    didYouMean(
      hook,
      names,
      `${typedCommand()} insights lists those that were called, and --since 30d searches longer.`,
    ),
  );
}

/** A failed request with advice that fits this command. */
function explained(error: unknown, url: string): unknown {
  if (!isRequestError(error)) return error;
  const { message, hint, details } = requestUsageError(error);
  if (error.status === 404 && error.problem !== undefined) {
    return new UsageError(
      `the coordinator at ${url} is of an earlier version, which has no insights.`,
      `Update it. ${LOCAL_HINT}`,
      details,
    );
  }
  const isAway = error.status === undefined || error.problem === undefined;
  return new UsageError(message, isAway ? `${hint} ${LOCAL_HINT}` : hint, details);
}
