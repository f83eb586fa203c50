import { typedCommand } from "@tenterhook/internal";
import type { RunOutcomes } from "@tenterhook/protocol/runs";
import { defineCommand, EXIT, type ExitCode, option, type Values } from "../command.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import {
  type ClientSubcommands,
  CoordinatorClient,
  listAll,
  runSubcommand,
} from "../fleet/coordinator-client.ts";
import { eventLine, FOLLOW_OPTIONS, followEvents } from "../fleet/follow-events.ts";
import { runParameters } from "../fleet/run-parameters.ts";
import { type RunUsage, usageOfRun, usageOfRuns, usageText } from "../fleet/run-usage.ts";
import { refuseMisplaced } from "../read-arguments.ts";
import { dim, jsonText, notify, oneLine, print, printJson, red } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  ...ACCESS_OPTIONS,
  status: option.list("S", "list: only runs in these states, or blocked, needs_approval"),
  agent: option.text("A", "list, --follow: only runs of this agent"),
  session: option.text("S", "list, --follow: only runs of this session"),
  search: option.text("WORDS", "list: only runs with these words in parameters, results or errors"),
  limit: option.number("N", "list: at most N, newest first (default: 20)"),
  reason: option.text("R", "stop: the reason"),
  follow: option.flag("print the events of all runs as they happen, until Ctrl-C"),
  ...FOLLOW_OPTIONS,
} as const;

export const runs = defineCommand({
  usage:
    "runs [list | show ID | events ID | stop ID… | retry ID… | retry ID KEY=VALUE…] [--status S] [--agent A] [--search WORDS] [--limit N] | runs --follow [--run ID] [--session ID] [--agent NAME] [--type T] [--after CURSOR]",
  about:
    "Lists, shows, stops and retries runs of a coordinator. events ID prints the events of one run.\n" +
    "With --follow, prints the events of all runs as they happen, until Ctrl-C. A lost connection is reopened at the same\n" +
    "position, so that no event is missed. With --json one event per line; --after continues after the event with that id.",
  options,
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook runs --status failed", means: "recent failures, blocked runs among them" },
    { command: "tenterhook runs --status blocked", means: "only what a hook or a person refused" },
    { command: 'tenterhook runs --search "disk full"', means: "runs that contain both words" },
    { command: "tenterhook runs show run_…", means: "details of a run and its hooks" },
    { command: "tenterhook runs stop run_… run_…", means: "stop both" },
    {
      command: "tenterhook runs retry run_…",
      means: "start it again with its original parameters",
    },
    {
      command: "tenterhook runs retry run_… environment=test",
      means: "start it again with one parameter changed",
    },
    { command: "tenterhook runs --follow", means: "all events, live" },
    { command: "tenterhook runs --follow --type hook_blocked --json", means: "refusals, for a program" },
  ],
  run(values, args) {
    if (!values.follow) {
      refuseMisplaced(values, Object.keys(FOLLOW_OPTIONS), {
        reason: "is for following events",
        hint: `Add --follow. For past events of a run: ${typedCommand()} runs events ID`,
      });
      return runSubcommand("runs", SUBCOMMANDS, values, args);
    }
    if (args.length > 0) throw new UsageError(`--follow takes no subcommand, such as "${args[0]}".`);
    refuseMisplaced(values, ["status", "search", "limit", "reason"], {
      reason: "is not for events, and --follow prints those",
      hint: "Omit one of them.",
    });
    return followEvents(new CoordinatorClient(findAccess(values)), values);
  },
});

const SUBCOMMANDS: ClientSubcommands<Values<typeof options>> = {
  list: { needs: [], run: list },
  show: { needs: ["ID"], run: show },
  events: { needs: ["ID"], run: events },
  stop: { needs: ["ID"], more: "ID…", run: stop },
  retry: { needs: ["ID"], more: "ID… | KEY=VALUE…", run: retry },
};

async function list(client: CoordinatorClient, values: Values<typeof options>): Promise<void> {
  const { status, agent, session, search, limit = 20, json } = values;
  const filters = { status: status.length === 0 ? undefined : status.join(","), agent, session, search };
  const found = await listAll(
    limit,
    (paging) => client.runs.list({ ...filters, ...paging }),
    (page) => page.runs,
  );
  // Report an unknown filter value instead of an empty list.
  if (found.length === 0 && agent !== undefined) await client.agents.read(agent);
  if (found.length === 0 && session !== undefined) await client.sessions.read(session);
  const usage = found.length === 0 ? undefined : await usageOfRuns(client, found);
  if (json) {
    const used = (id: string) => usage?.get(id) ?? null;
    printJson({
      runs: usage === undefined ? found : found.map((run) => ({ ...run, usage: used(run.run_id) })),
    });
  } else if (found.length === 0) {
    print(dim("No runs."));
  } else {
    const { runsTable } = await import("../fleet/format-run.ts");
    print(runsTable(found, await usageTexts(usage)));
  }
}

async function usageTexts(
  usage: ReadonlyMap<string, RunUsage> | undefined,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (usage === undefined) return undefined;
  const texts = [...usage].map(async ([id, used]) => [id, await usageText(used)] as const);
  return new Map(await Promise.all(texts));
}

async function show(client: CoordinatorClient, { json }: Values<typeof options>, id: string): Promise<void> {
  const run = await client.runs.read(id);
  const usage = await usageOfRun(client, run, await client.coordinator.readPrices());
  if (json) {
    printJson({ ...run, usage: usage ?? null });
  } else {
    const { runPage } = await import("../fleet/format-run.ts");
    print(runPage(run, usage && (await usageText(usage))));
  }
}

async function events(
  client: CoordinatorClient,
  { json }: Values<typeof options>,
  id: string,
): Promise<void> {
  for await (const event of client.runs.storedEvents(id)) {
    print(json ? jsonText(event) : eventLine(event));
  }
}

async function stop(
  client: CoordinatorClient,
  { json, reason }: Values<typeof options>,
  id: string,
  others: readonly string[],
): Promise<ExitCode> {
  if (others.length > 0) return changeRuns(client, "stop", [id, ...others], { json, reason });
  const body = reason === undefined ? {} : { reason };
  const run = await client.runs.stop(id, body);
  if (json) printJson(run);
  else print(`${run.run_id} is ${run.status}`);
  return EXIT.ok;
}

async function retry(
  client: CoordinatorClient,
  { json }: Values<typeof options>,
  id: string,
  more: readonly string[],
): Promise<ExitCode> {
  const others = more.filter((argument) => RUN_ID.test(argument));
  const changes = more.filter((argument) => !RUN_ID.test(argument));
  if (others.length > 0 && changes.length > 0) {
    throw new UsageError(
      "parameters cannot be changed for several runs at once.",
      `Retry ${id} with its changes first, then the others.`,
    );
  }
  if (others.length > 0) return changeRuns(client, "retry", [id, ...others], { json });
  const body = changes.length === 0 ? {} : { parameters: await changedParameters(client, id, changes) };
  const run = await client.runs.retry(id, body);
  if (json) printJson(run);
  else print(`${run.run_id} is ${run.status}, in session ${run.session_id}`);
  return EXIT.ok;
}

/** A run's id; no parameter has this form. */
const RUN_ID = /^run_[0-9a-z]+$/;

/** The original parameters of a run, with changes. */
async function changedParameters(client: CoordinatorClient, id: string, changes: readonly string[]) {
  const { agent_name, original_parameters, parameters } = await client.runs.read(id);
  return runParameters(changes, () => client.agents.read(agent_name), original_parameters ?? parameters);
}

/** The most runs of one request. */
const MAX_IDS = 100;

/** Stops or retries several runs, and prints the outcome of each. The exit code is 1 when one of them was refused. */
async function changeRuns(
  client: CoordinatorClient,
  action: "stop" | "retry",
  ids: readonly string[],
  { json, reason }: { readonly json: boolean; readonly reason?: string | undefined },
): Promise<ExitCode> {
  const outcomes: RunOutcomes["outcomes"] = [];
  for (let first = 0; first < ids.length; first += MAX_IDS) {
    const body = { ids: ids.slice(first, first + MAX_IDS), ...(reason !== undefined && { reason }) };
    const change = action === "stop" ? client.runs.stopMany(body) : client.runs.retryMany(body);
    outcomes.push(...(await change).outcomes);
  }
  if (json) printJson({ outcomes });
  else for (const outcome of outcomes) printOutcome(action, outcome);
  return outcomes.some(({ problem }) => problem !== null) ? EXIT.wrong : EXIT.ok;
}

function printOutcome(
  action: "stop" | "retry",
  { run_id, run, problem }: RunOutcomes["outcomes"][number],
): void {
  if (run === null) notify(red(`${run_id}: ${oneLine(problem?.detail ?? "refused")}`));
  else if (action === "stop") print(`${run_id} is ${run.status}`);
  else print(`${run_id}: ${run.run_id} is ${run.status}, in session ${run.session_id}`);
}
