import { TenterhookError } from "@tenterhook/protocol";
import type { Environment } from "../machine/machine.ts";
import { accessFrom, TOKEN_VARIABLE } from "./access.ts";
import { dataFolder } from "./data-folder.ts";
import type { RunnerConfig } from "./parse-runner-config.ts";

/** Where the coordinator is, and what lets the runner in. */
export interface Access {
  readonly url: string;
  readonly token: string;
}

/** The access of a runner's configuration. Rejects with `bad_runner` when something is missing. */
export async function findAccess(config: RunnerConfig, env: Environment = process.env): Promise<Access> {
  const folder = config.coordinatorDir ?? dataFolder(env);
  const { url, token } = accessFrom({ ...config, folder }, env);
  if (url === undefined) {
    throw missing("url", `No coordinator is running in ${folder}: start one, or say where it is.`);
  }
  if (token === undefined) {
    throw missing("token", `Give token, token_file, or the environment variable ${TOKEN_VARIABLE}.`);
  }
  return { url, token };
}

function missing(field: string, hint: string): TenterhookError {
  return new TenterhookError("bad_runner", `the runner's configuration lacks ${field}.`, { hint });
}
