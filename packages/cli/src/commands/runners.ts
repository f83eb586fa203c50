import { typedCommand } from "@tenterhook/internal";
import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { ago } from "../ago.ts";
import { defineCommand, EXIT, type ExitCode, type Values } from "../command.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient, listAll } from "../fleet/coordinator-client.ts";
import { RUNNER_OPTIONS, startRunner } from "../fleet/start-runner.ts";
import { chooseSubcommand, refuseMisplaced, type Subcommands } from "../read-arguments.ts";
import { type Cell, dim, print, printJson, titledTable } from "../terminal.ts";

const options = { ...ACCESS_OPTIONS, ...RUNNER_OPTIONS } as const;

/** At most this many runners are listed. */
const LIMIT = 1_000;

export const runners = defineCommand({
  usage: "runners [list | start [--name N] [--tags T] [--concurrency N] [--config FILE]]",
  about:
    "Lists the runners of a coordinator, or starts one in this process: it claims runs and executes them. On SIGINT or SIGTERM\n" +
    "it claims no more runs, and ends when its current runs have ended; a second signal ends it immediately. Models, MCP\n" +
    "servers and tools come from the configuration file; the hooks in HOOK.md folders of this machine apply as well. Options\n" +
    "override the file.",
  options,
  arguments: { min: 0, max: 1 },
  examples: [
    { command: "tenterhook runners", means: "list the runners, connected or not" },
    { command: "tenterhook runners start", means: "a runner of the coordinator on this machine" },
    {
      command:
        "TENTERHOOK_TOKEN=… tenterhook runners start --url https://agents.example.org --tags gpu --concurrency 4",
      means: "a runner of a remote coordinator",
    },
  ],
  run: (values, args) => chooseSubcommand("runners", SUBCOMMANDS, args).run(values),
});

const SUBCOMMANDS: Subcommands<(values: Values<typeof options>) => Promise<ExitCode>> = {
  list: { needs: [], run: list },
  start: { needs: [], run: startRunner },
};

async function list(values: Values<typeof options>): Promise<ExitCode> {
  refuseMisplaced(values, Object.keys(RUNNER_OPTIONS), {
    reason: "is an option of a runner, and this lists the runners",
    hint: `To start a runner: ${typedCommand()} runners start`,
  });
  const client = new CoordinatorClient(findAccess(values));
  const found = await listAll(
    LIMIT,
    (paging) => client.runners.list(paging),
    (page) => page.runners,
  );
  if (values.json) printJson({ runners: found });
  else
    print(
      found.length === 0
        ? dim(`No runners. Start one with: ${typedCommand()} runners start`)
        : runnersTable(found),
    );
  return EXIT.ok;
}

function runnersTable(found: readonly RunnerRecord[]): string {
  const titles = ["runner", "name", "state", "runs", "tags", "seen"];
  const rows = found.map(({ runner_id, name, state, active_runs, concurrency, tags, seen_at }): Cell[] => [
    runner_id,
    name,
    STATES[state],
    `${active_runs} of ${concurrency}`,
    tags.join(","),
    `${ago(seen_at)} ago`,
  ]);
  return titledTable(titles, rows);
}

/** The words of the dashboard. */
const STATES = { online: "online", draining: "draining", gone: "offline" } as const;
