import { readFile } from "node:fs/promises";
import { messageOf, withoutBom } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { Runner } from "../runner.ts";
import type { RunnerOptions } from "../runner-options.ts";
import { loadTools } from "./load-tools.ts";
import { findAccess } from "./local-access.ts";
import { parseRunnerConfig, type RunnerConfig } from "./parse-runner-config.ts";

/** Reads a configuration file. Rejects with `bad_runner`, naming file and field. */
export async function readRunnerConfig(file: string): Promise<RunnerConfig> {
  let json: unknown;
  try {
    json = JSON.parse(withoutBom(await readFile(file, "utf8")));
  } catch (error) {
    throw new TenterhookError("bad_runner", `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  return parseRunnerConfig(json, file);
}

/** Makes the runner that a configuration describes: finds the coordinator, loads the tools. Options count more than it. */
export async function runnerFrom(
  config: RunnerConfig,
  options: Partial<RunnerOptions> = {},
): Promise<Runner> {
  const { coordinatorDir: _folder, tokenFile: _file, toolModules = [], ...given } = config;
  const tools = await loadTools(toolModules, config.baseDir);
  const known = {
    ...config,
    ...(options.url && { url: options.url }),
    ...(options.token && { token: options.token }),
  };
  const access = findAccess(known, options.environment);
  return new Runner({ ...given, ...options, tools: { ...tools, ...options.tools }, ...access });
}
