import { resolve } from "node:path";
import { typedCommand } from "@tenterhook/internal";
import type { RunnerConfig } from "@tenterhook/runner";
import { runnerFolder } from "@tenterhook/runner/data-folder";
import { EXIT, type ExitCode, option, type Values } from "../command.ts";
import { ShutdownRequest } from "../interrupt.ts";
import { print } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { type ACCESS_OPTIONS, makeDataFolder } from "./access.ts";

/** How long runs may continue after the parent process, and with it the coordinator, has ended. */
const ORPHAN_MS = 10_000;

/** The options of a runner in addition to those of all commands that connect to a coordinator. */
export const RUNNER_OPTIONS = {
  "token-file": option.text("F", "start: a file with the token"),
  name: option.text("N", "start: its name (default: the host name)"),
  tags: option.list("T", "start: its tags, which agents may require"),
  concurrency: option.number("N", "start: the number of parallel runs (default: 1)"),
  config: option.text("FILE", "start: a JSON configuration file"),
} as const;

/** Runs a runner in this process, until a signal ends it. */
export async function startRunner(
  values: Values<typeof ACCESS_OPTIONS & typeof RUNNER_OPTIONS>,
): Promise<ExitCode> {
  const shutdown = new ShutdownRequest();
  const { readRunnerConfig, runnerFrom } = await import("@tenterhook/runner");
  const file: RunnerConfig =
    values.config === undefined ? { baseDir: process.cwd() } : await readRunnerConfig(values.config);
  const config = withAccess(file, values);
  if (config.workDir === undefined)
    makeDataFolder(config.dataDir ?? runnerFolder(), "the runner's data folder");
  const created = await runnerFrom(config, {
    ...(values.name !== undefined && { name: values.name }),
    ...(values.tags.length > 0 && { tags: values.tags }),
    ...(values.concurrency !== undefined && { concurrency: values.concurrency }),
  });
  const orphaned = parentEnded();
  await Promise.race([created.start().catch(throwRefusal), shutdown.requested, orphaned]);
  if (values.json) print(JSON.stringify({ runner_id: created.id ?? null, pid: process.pid }));
  await Promise.race([shutdown.requested, orphaned.then(() => created.drain({ timeoutMs: ORPHAN_MS }))]);
  shutdown.exitWhenRepeated();
  await created.drain();
  shutdown.release();
  if (process.connected) process.disconnect();
  return EXIT.ok;
}

/** A refusal by the coordinator is not an internal error. */
function throwRefusal(error: unknown): never {
  if (!(error instanceof Error) || error.name !== "Refusal") throw error;
  const { code } = error as Error & { readonly code?: unknown };
  throw new UsageError(
    `the coordinator refuses this runner: ${error.message}.`,
    `It needs a token with the scope runner: ${typedCommand()} tokens create --name … --scope runner`,
    { code },
  );
}

function withAccess(
  config: RunnerConfig,
  values: {
    readonly url?: string | undefined;
    readonly token?: string | undefined;
    readonly "token-file"?: string | undefined;
    readonly data?: string | undefined;
  },
): RunnerConfig {
  const { url, token, data } = values;
  const tokenFile = values["token-file"];
  if (token !== undefined && tokenFile !== undefined) {
    throw new UsageError("--token and --token-file are mutually exclusive.", "Use one of them.");
  }
  const { token: _token, tokenFile: _tokenFile, ...rest } = config;
  const isGiven = token !== undefined || tokenFile !== undefined;
  return {
    ...(isGiven ? rest : config),
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
    ...(tokenFile !== undefined && { tokenFile: resolve(tokenFile) }),
    // By default, the runner's data is beside the coordinator's.
    ...(data !== undefined && {
      coordinatorDir: resolve(data),
      dataDir: config.dataDir ?? resolve(data, "runner"),
    }),
  };
}

/** Resolves when the parent process that opened an IPC channel has ended; never without a channel. */
function parentEnded(): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.once("disconnect", resolve);
  });
}
