import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import { messageOf, TenterhookError } from "@tenterhook/protocol";
import type { Environment } from "../machine/machine.ts";
import { dataFolder } from "./data-folder.ts";
import type { RunnerConfig } from "./parse-runner-config.ts";

/** Where the coordinator is, and what lets the runner in. */
export interface Access {
  readonly url: string;
  readonly token: string;
}

const TOKEN_VARIABLE = "TENTERHOOK_TOKEN";

/**
 * Finds out what a configuration leaves open from what a coordinator on this machine has left in its data folder. That
 * folder's token is an administrator's: it is never sent to another machine. Rejects with `bad_runner` when something is
 * missing.
 */
export async function findAccess(config: RunnerConfig, env: Environment = process.env): Promise<Access> {
  const folder = config.coordinatorDir ?? dataFolder(env);
  const url = config.url ?? (await readIfThere(join(folder, "address")));
  if (url === undefined) {
    throw missing("url", `No coordinator is running in ${folder}: start one, or say where it is.`);
  }
  const given =
    config.token ?? (config.tokenFile && (await readToken(config.tokenFile))) ?? env[TOKEN_VARIABLE];
  const token = given ?? (isLocal(url) ? await readIfThere(join(folder, "token")) : undefined);
  if (token === undefined) {
    throw missing("token", `Give token, token_file, or the environment variable ${TOKEN_VARIABLE}.`);
  }
  return { url, token };
}

function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
  );
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new TenterhookError("bad_runner", `token_file cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim() || undefined;
  } catch {
    return undefined;
  }
}

function missing(field: string, hint: string): TenterhookError {
  return new TenterhookError("bad_runner", `the runner's configuration lacks ${field}.`, { hint });
}
