export { parseRunnerConfig, type RunnerConfig } from "./config/parse-runner-config.ts";
export { readRunnerConfig, runnerFrom } from "./config/runner-from.ts";
export { drainOnSignals } from "./drain-on-signals.ts";
export type { Log } from "./log.ts";
export { Runner } from "./runner.ts";
export type { RunnerOptions } from "./runner-options.ts";
