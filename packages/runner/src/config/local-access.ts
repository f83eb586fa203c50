import { TenterhookError } from "@tenterhook/protocol";
import type { Environment } from "../machine/machine.ts";
import { accessFrom, TOKEN_VARIABLE } from "./access.ts";
import { dataFolder } from "./data-folder.ts";
import type { RunnerConfig } from "./parse-runner-config.ts";

/** The address of the coordinator, and the token for it. */
export interface Access {
  readonly url: string;
  readonly token: string;
}

/** The access of a runner's configuration. Throws `bad_runner` when something is missing. */
export function findAccess(config: RunnerConfig, env: Environment = process.env): Access {
  const folder = config.coordinatorDir ?? dataFolder(env);
  const { url, token } = accessFrom({ ...config, folder }, env);
  if (url === undefined) {
    throw missing("url", `No coordinator is running in ${folder}: start one, or give its url.`);
  }
  if (token === undefined) {
    throw missing("token", `Give token, token_file, or the environment variable ${TOKEN_VARIABLE}.`);
  }
  return { url, token };
}

function missing(field: string, hint: string): TenterhookError {
  return new TenterhookError("bad_runner", `the runner's configuration lacks ${field}.`, { hint });
}
