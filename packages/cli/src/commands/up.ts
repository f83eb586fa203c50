import { isRequestError } from "@tenterhook/client";
import type { ServedCoordinator } from "@tenterhook/coordinator";
import { pause, typedCommand } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { defineCommand, EXIT, type ExitCode } from "../command.ts";
import { saveDemo } from "../demo/save-demo.ts";
import { dataFolder, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import {
  COORDINATOR_OPTIONS,
  type CoordinatorValues,
  optionsNotApplied,
  startCoordinator,
  systemUser,
} from "../fleet/start-coordinator.ts";
import { formatPath } from "../format-hook.ts";
import { ShutdownRequest } from "../interrupt.ts";
import { bold, type Cell, dim, notify, print, table } from "../terminal.ts";
import { RunnerProcess } from "../up/runner-process.ts";
import { UsageError } from "../usage-error.ts";

/** How long a coordinator may take from locking its folder to responding; a new one on a slow, busy machine needs most of it. */
const START_UP_MS = 60_000;

/** More than one, so that several runs and their hooks can overlap. */
const CONCURRENCY = "4";

export const up = defineCommand({
  usage:
    "up [--port N] [--data D] [--allow-host NAME] [--trust-proxy NET] [--allow-variable NAME]\n" +
    "   [--allow-private NET] [--prices FILE]",
  about:
    "Runs a coordinator and a runner on this machine, with demo agents that need no API key: their models are scripted.\n" +
    "Existing agents are not overwritten. Ctrl-C waits for active runs; a second Ctrl-C ends immediately. If a coordinator\n" +
    "is already running in the data folder, it prints its address and a new sign-in link, and ends with 0; with 1 if options\n" +
    "were given that the running one does not have.",
  options: COORDINATOR_OPTIONS,
  examples: [
    { command: "tenterhook up", means: "then open the printed link" },
    { command: "tenterhook up --data ./data --port 0", means: "with its own data folder and any free port" },
    { command: "tenterhook up --allow-private 127.0.0.1", means: "http hooks may call this machine" },
  ],
  async run(values) {
    const data = dataFolder(values.data);
    const running = await runningCoordinator(data);
    if (running !== undefined) return printRunning(running, data, values);
    const shutdown = new ShutdownRequest();
    const served = await startedHereOrElsewhere(values, data);
    if ("already" in served) return printRunning(served.already, data, values);
    await saveDemo(new CoordinatorClient(served), data);
    if (values.json) {
      print(JSON.stringify({ url: served.url, login_url: await served.loginUrl(), data, pid: process.pid }));
    } else print(await greeting(served, data, values.data));
    const runner = new RunnerProcess(["--data", data, "--concurrency", CONCURRENCY, "--name", "local"]);
    runner.start();
    await shutdown.requested;
    notify("ending; waiting for active runs (Ctrl-C again to stop them)");
    await Promise.race([runner.end(), shutdown.repeated.then(() => runner.end())]);
    shutdown.exitWhenRepeated();
    await served.close();
    shutdown.release();
    return EXIT.ok;
  },
});

/** The coordinator of the data folder is already running: prints its address, a sign-in link, and the options that it does not have. */
function printRunning(
  { url, loginUrl }: RunningCoordinator,
  data: string,
  { json, ...values }: CoordinatorValues & { readonly json: boolean },
): ExitCode {
  const notApplied = optionsNotApplied(values, data, url);
  const more = notApplied.length === 0 ? {} : { not_applied: notApplied };
  if (json) print(JSON.stringify({ url, login_url: loginUrl, data, already_running: true, ...more }));
  else print(`already running at ${url}\n\n${table(addressRows(url, loginUrl, data))}`);
  if (notApplied.length === 0) return EXIT.ok;
  notify(
    `not applied: ${notApplied.join(", ")}. The running coordinator was started with other options; end it (Ctrl-C), then run this again.`,
  );
  return EXIT.wrong;
}

/**
 * Starts on the requested port; without --port, on any free port if the default port is in use. Another process may have
 * locked the folder without having written its address yet: waits for that one, and starts if it ends.
 */
async function startedHereOrElsewhere(
  given: CoordinatorValues,
  data: string,
): Promise<ServedCoordinator | { readonly already: RunningCoordinator }> {
  const until = Date.now() + START_UP_MS;
  let values = given;
  for (let waits = false; ; ) {
    try {
      return await startCoordinator(values);
    } catch (error) {
      if (isPortTaken(error) && values.port === undefined) {
        notify(`${error.message} Using another port.`);
        values = { ...values, port: 0 };
        continue;
      }
      if (!isFolderLocked(error) || Date.now() > until) throw error;
      const already = await runningCoordinator(data);
      if (already !== undefined) return { already };
      if (!waits) notify(`another process uses ${formatPath(data)}; waiting for its coordinator to start`);
      waits = true;
      await pause(200);
    }
  }
}

const isPortTaken = (error: unknown): error is UsageError =>
  error instanceof UsageError && error.details.code === "EADDRINUSE";

const isFolderLocked = (error: unknown) => TenterhookError.isInstance(error) && error.code === "store_locked";

async function greeting(
  served: ServedCoordinator,
  data: string,
  option: string | undefined,
): Promise<string> {
  const rows = addressRows(served.url, await served.loginUrl(), data);
  return [table(rows), "", "Try, in another terminal:", thingsToTry(option), "", dim("Ctrl-C to stop.")].join(
    "\n",
  );
}

function addressRows(url: string, loginUrl: string, data: string): readonly Cell[][] {
  return [
    [
      { text: "  page", style: bold },
      loginUrl,
      { text: "sign-in link, works once, expires in minutes", style: dim },
    ],
    [{ text: "  API", style: bold }, url, { text: `the token is in ${formatPath(data)}/token`, style: dim }],
  ];
}

const COMMANDS = [
  [`run hello "Who are you?"`, "an agent that calls a tool"],
  [`run release-notes "Prepare 1.4"`, "steps and tools; a hook refuses one call"],
  [`run report-generator report_id=R123`, "a start hook adds the path"],
  [`run guarded "Run rm -rf /"`, "a start hook refuses"],
  [`run data-extractor source=orders`, "its end starts the next agent"],
  [`run deployer environment=production`, "waits until a person approves it"],
  ["runs", "the runs and their results"],
  ["runs --follow", "all events, live"],
] as const;

/** Commands for a first try. */
function thingsToTry(data: string | undefined): string {
  const command = typedCommand();
  const where = data === undefined ? "" : ` --data ${data}`;
  return table(
    COMMANDS.map(([args, means]) => [`  ${command} ${args}${where}`, { text: means, style: dim }]),
  );
}

/** A coordinator that is already running. */
interface RunningCoordinator {
  readonly url: string;
  /** A sign-in link that works once. */
  readonly loginUrl: string;
}

/** The coordinator that uses a data folder now; `undefined` when none is running, even if files of an earlier one exist. */
async function runningCoordinator(data: string): Promise<RunningCoordinator | undefined> {
  // Ignore the environment: its token may belong to another coordinator.
  const access = accessIn(data);
  if (access === undefined) return undefined;
  try {
    const body = { name: await systemUser() };
    const { url } = await new CoordinatorClient(access).access.createLoginLink(body);
    return { url: access.url, loginUrl: url };
  } catch (error) {
    // Another program may use the port now; its response must not prevent the start.
    if (isRequestError(error) && (error.problem === undefined || error.isTransient)) return undefined;
    throw error;
  }
}

function accessIn(data: string) {
  try {
    return findAccess({ url: undefined, token: undefined, data }, {});
  } catch {
    return undefined;
  }
}
