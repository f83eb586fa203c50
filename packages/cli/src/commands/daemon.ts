import { spawn } from "node:child_process";
import { isResident, residentFiles } from "@tenterhook/bridges/resident";
import { findLocations } from "@tenterhook/file-hooks";
import { isDaemonEnabled } from "@tenterhook/file-hooks/discover";
import { pause, typedCommand } from "@tenterhook/internal";
import { isRunning } from "@tenterhook/internal/files";
import { ago } from "../ago.ts";
import { SMALL_MEMORY } from "../bridge/small-memory.ts";
import { defineCommand, EXIT, type ExitCode } from "../command.ts";
import { askStatus, type DaemonStatus } from "../daemon/ask-status.ts";
import { findInstalledDaemon, type InstalledDaemon } from "../daemon/installed-daemon.ts";
import { chooseSubcommand, type Subcommands } from "../subcommands.ts";
import { print, printJson } from "../terminal.ts";
import { refuseAgents } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";

/** Calls have half a minute to end; after that it is killed. */
const STOP_MS = 35_000;
const CHECK_MS = 50;

export const daemon = defineCommand({
  usage: "daemon [start | status | stop]",
  about:
    "The resident process that answers the calls of coding agents on Linux, so that not every call has to start Node. It is off\n" +
    "unless you write `enabled = true` under `[daemon]` in your own hooks.toml and run tenterhook install: then the first call of an agent\n" +
    "starts it, and it ends after an hour without one. Without it each call starts a process of its own, with the same answer. `start` runs it in this terminal, `status` shows\n" +
    "whether one runs, and `stop` ends it.",
  options: {},
  arguments: { min: 0, max: 1 },
  examples: [
    { command: "tenterhook daemon", means: "run it in this terminal, until Ctrl-C" },
    {
      command: "tenterhook daemon status",
      means: "does one run, since when, and how many calls has it answered?",
    },
    { command: "tenterhook daemon stop", means: "end it; the next call of an agent starts another one" },
  ],
  run: ({ json }, args) =>
    chooseSubcommand("daemon", SUBCOMMANDS, args.length === 0 ? ["start"] : args).run(json),
});

const SUBCOMMANDS: Subcommands<(json: boolean) => Promise<ExitCode>> = {
  start: { needs: [], run: start },
  status: { needs: [], run: showStatus },
  stop: { needs: [], run: stop },
};

/** Runs it as the bridge would start it, but in this terminal. */
async function start(): Promise<ExitCode> {
  const { node, bridge, folder } = requireInstalled();
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(node, [...SMALL_MEMORY, bridge, "daemon", "--folder", folder], {
    cwd: "/",
    env: { PATH, HOME },
    stdio: ["ignore", "inherit", "inherit"],
  });
  // The terminal sends them to the child too, which ends by itself.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code === 0 ? EXIT.ok : EXIT.wrong));
  });
}

async function showStatus(json: boolean): Promise<ExitCode> {
  const installed = findInstalledDaemon(process.env);
  if (typeof installed === "string") {
    if (json) printJson({ type: "none", why: installed });
    else print(installed);
    return EXIT.ok;
  }
  const { folder } = installed;
  const status = await askStatus(residentFiles(folder));
  if (json) printJson({ folder, ...status });
  else if (status.type !== "none") print(formatStatus(status, folder));
  else if (await isDaemonEnabled(findLocations("/", process.env).userHooks))
    print("No resident process is running. The next call of a coding agent starts one.");
  else print("No resident process is running: it is not turned on in hooks.toml.");
  return EXIT.ok;
}

function formatStatus(status: Exclude<DaemonStatus, { type: "none" }>, folder: string): string {
  if (status.type === "silent")
    return `Process ${status.pid} does not respond. To end it: ${typedCommand()} daemon stop`;
  const { pid, since, calls, active } = status;
  return `Process ${pid} has answered ${calls} calls in ${ago(since)}, and answers ${active} now. Its folder: ${folder}`;
}

async function stop(json: boolean): Promise<ExitCode> {
  await refuseAgents("whether the resident process runs");
  const { folder } = requireInstalled();
  const status = await askStatus(residentFiles(folder));
  if (status.type === "none") {
    if (json) printJson({ stopped: false });
    else print("No resident process is running.");
    return EXIT.ok;
  }
  const { pid } = status;
  if (!isResident(pid, folder))
    throw new UsageError(`Process ${pid} runs in another container. Stop it there.`);
  process.kill(pid, "SIGTERM");
  const until = performance.now() + (status.type === "silent" ? 1_000 : STOP_MS);
  while (isRunning(pid) && performance.now() < until) await pause(CHECK_MS);
  if (isRunning(pid)) process.kill(pid, "SIGKILL");
  if (json) printJson({ stopped: true, pid });
  else print(`Stopped process ${pid}.`);
  return EXIT.ok;
}

function requireInstalled(): InstalledDaemon {
  const installed = findInstalledDaemon(process.env);
  if (typeof installed === "string") throw new UsageError(installed);
  return installed;
}
