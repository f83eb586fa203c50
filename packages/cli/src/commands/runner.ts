import { resolve } from "node:path";
import type { RunnerConfig } from "@tenterhook/runner";
import { runnerFolder } from "@tenterhook/runner/data-folder";
import { defineCommand, EXIT } from "../command.ts";
import { ACCESS_OPTIONS } from "../fleet/access.ts";
import { makeDataFolder } from "../fleet/data-folder.ts";
import { ShutdownRequest } from "../interrupt.ts";
import { wholeNumber } from "../read-arguments.ts";
import { print } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** How long runs have to end when whoever started this runner is gone, and with it the coordinator. */
const ORPHAN_MS = 10_000;

export const runner = defineCommand({
  usage:
    "runner [--url URL] [--token T | --token-file F] [--name N] [--tags T] [--concurrency N] [--config FILE]",
  about:
    "Claims runs from a coordinator and carries them out, until it is told to end: then it takes no more, and ends when\n" +
    "those that it has have ended; told again, at once. Models, MCP servers and tools come from the configuration file;\n" +
    "the hooks in HOOK.md folders of this machine hold here too. Options count more than the file.",
  options: {
    ...ACCESS_OPTIONS,
    "token-file": { type: "string", value: "F", about: "a file with the token" },
    name: { type: "string", value: "N", about: "how people know it (default: the machine's name)" },
    tags: { type: "list", value: "T", about: "what it can do that not every runner can" },
    concurrency: { type: "string", value: "N", about: "how many runs at a time (default: 1)" },
    config: { type: "string", value: "FILE", about: "a configuration, as JSON" },
  },
  arguments: { min: 0, max: 0 },
  examples: [
    { command: "tenterhook runner", means: "one for the coordinator on this machine" },
    {
      command:
        "TENTERHOOK_TOKEN=… tenterhook runner --url https://agents.example.org --tags gpu --concurrency 4",
      means: "one for a coordinator elsewhere",
    },
  ],
  async run(values) {
    const ending = new ShutdownRequest();
    const { readRunnerConfig, runnerFrom } = await import("@tenterhook/runner");
    const file: RunnerConfig =
      values.config === undefined ? { baseDir: process.cwd() } : await readRunnerConfig(values.config);
    const config = withAccess(file, values);
    if (config.workDir === undefined)
      makeDataFolder(config.dataDir ?? runnerFolder(), "the runner's data folder");
    const made = await runnerFrom(config, {
      ...(values.name !== undefined && { name: values.name }),
      ...(values.tags.length > 0 && { tags: values.tags }),
      ...(values.concurrency !== undefined && {
        concurrency: wholeNumber("--concurrency", values.concurrency, 1),
      }),
    });
    const orphaned = outlived();
    await Promise.race([made.start().catch(throwRefusal), ending.told, orphaned]);
    if (values.json) print(JSON.stringify({ runner_id: made.id ?? null, pid: process.pid }));
    await Promise.race([ending.told, orphaned.then(() => made.drain({ timeoutMs: ORPHAN_MS }))]);
    ending.exitWhenRepeated();
    await made.drain();
    ending.release();
    if (process.connected) process.disconnect();
    return EXIT.ok;
  },
});

/** The coordinator does not want this runner, which is nothing that went wrong in here. */
function throwRefusal(error: unknown): never {
  if (!(error instanceof Error) || error.name !== "Refusal") throw error;
  const { code } = error as Error & { readonly code?: unknown };
  throw new UsageError(
    `the coordinator refuses this runner: ${error.message}.`,
    "It needs a token with the scope runner: tenterhook token create --name … --scope runner",
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
    throw new UsageError("--token and --token-file exclude each other.", "Give one of them.");
  }
  const { token: _token, tokenFile: _tokenFile, ...rest } = config;
  const isReported = token !== undefined || tokenFile !== undefined;
  return {
    ...(isReported ? rest : config),
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
    ...(tokenFile !== undefined && { tokenFile: resolve(tokenFile) }),
    // Its own things are where they are by default: beside the coordinator's.
    ...(data !== undefined && {
      coordinatorDir: resolve(data),
      dataDir: config.dataDir ?? resolve(data, "runner"),
    }),
  };
}

/** Resolves when the process that started this one over a channel is gone; never for one that a person or a service started. */
function outlived(): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.once("disconnect", resolve);
  });
}
