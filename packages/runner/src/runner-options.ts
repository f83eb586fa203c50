import { hostname } from "node:os";
import { resolve } from "node:path";
import type { AgentTools, McpServerConfig } from "@tenterhook/agent";
import { TenterhookError } from "@tenterhook/protocol";
import { runnerFolder } from "./config/data-folder.ts";
import { type Log, logToStderr } from "./log.ts";
import type { Environment, Machine } from "./machine/machine.ts";
import { WorkFolders } from "./machine/work-folders.ts";

/** The settings of a runner. */
export interface RunnerOptions {
  /** Where the coordinator is. */
  readonly url: string;
  readonly token: string;
  /** How people know it. Default: the name of the machine. */
  readonly name?: string | undefined;
  /** Its capabilities: an agent with tags is given only to runners that have all of them. */
  readonly tags?: readonly string[] | undefined;
  /** How many runs at a time. Runs that execute hooks are not counted. Default 1. */
  readonly concurrency?: number | undefined;
  /** Models by the names that agents call them by. */
  readonly models?: Machine["models"] | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** Tools by name, beside the built-in ones. */
  readonly tools?: AgentTools | undefined;
  /** Where work folders are kept. Default: `runner` in the user's data folder of Tenterhook. */
  readonly dataDir?: string | undefined;
  /** One folder that all runs work in. Default: one for each session, in `dataDir`. */
  readonly workDir?: string | undefined;
  /** What paths of modules count from. Default: the working directory. */
  readonly baseDir?: string | undefined;
  /** Folders of sessions that had no run for so many days are deleted. Default 7. */
  readonly keepDays?: number | undefined;
  /** Variables that commands may see although their names look like secrets. */
  readonly env?: readonly string[] | undefined;
  /** Where hooks, keys and other settings are looked up. Default: the process's. */
  readonly environment?: Environment | undefined;
  /** How many seconds the response to a poll may be delayed. Default 20. */
  readonly pollSeconds?: number | undefined;
  /** How many seconds runs have to end when the runner drains. Default 600. */
  readonly drainSeconds?: number | undefined;
  /** Default: standard error. */
  readonly log?: Log | undefined;
}

/** Options with every default filled in. */
export interface RunnerSettings {
  readonly url: string;
  readonly token: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly concurrency: number;
  readonly pollSeconds: number;
  readonly drainSeconds: number;
  readonly log: Log;
  readonly machine: Machine;
}

/** Throws `bad_runner` for an invalid option. */
export function runnerSettings(options: RunnerOptions): RunnerSettings {
  const { url, token, name = hostname() || "runner", tags = [], log = logToStderr } = options;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw badOption("url", "the address of the coordinator, with http or https");
  }
  if (token === "") throw badOption("token", "a token of the coordinator");
  return {
    url,
    token,
    name,
    tags,
    concurrency: whole("concurrency", options.concurrency ?? 1),
    pollSeconds: notNegative("pollSeconds", options.pollSeconds ?? 20),
    drainSeconds: notNegative("drainSeconds", options.drainSeconds ?? 600),
    log,
    machine: createMachine(options),
  };
}

function createMachine(options: RunnerOptions): Machine {
  const { environment: env = process.env, keepDays = 7, workDir, baseDir = process.cwd() } = options;
  const dataDir = resolve(options.dataDir ?? runnerFolder(env));
  const workFolders = new WorkFolders({
    dataDir,
    workDir: workDir === undefined ? undefined : resolve(workDir),
    keepDays: notNegative("keepDays", keepDays),
  });
  return {
    models: options.models ?? {},
    tools: options.tools ?? {},
    mcpServers: options.mcpServers ?? {},
    workFolders,
    env,
    allowedSecrets: options.env ?? [],
    baseDir: resolve(baseDir),
  };
}

function whole(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw badOption(name, "a whole number of at least 1");
}

function notNegative(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw badOption(name, "a number of at least 0");
}

function badOption(name: string, what: string): TenterhookError {
  return new TenterhookError("bad_runner", `${name} must be ${what}.`);
}
