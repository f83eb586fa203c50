import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import { messageOf, systemCode } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { Environment } from "../machine/machine.ts";

/** The environment variable with a token. */
export const TOKEN_VARIABLE = "TENTERHOOK_TOKEN";

/** What is given about a coordinator, and the data folder of one on this machine. */
export interface AccessSources {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly folder: string;
}

/**
 * Finds a coordinator's address and a token. What is not given comes from what a coordinator on this machine left in its
 * data folder. That folder's token is an administrator's: it is never sent to another machine. What is not found is
 * `undefined`. Throws `bad_runner` for a file that cannot be read.
 */
export function accessFrom(
  { url, token, tokenFile, folder }: AccessSources,
  env: Environment = process.env,
): { readonly url: string | undefined; readonly token: string | undefined } {
  const address = url ?? readIfThere(join(folder, "address"));
  const given = token ?? (tokenFile && readToken(tokenFile)) ?? (env[TOKEN_VARIABLE] || undefined);
  const isHere = address !== undefined && isLocal(address);
  return { url: address, token: given ?? (isHere ? readIfThere(join(folder, "token")) : undefined) };
}

/** Whether an address is this machine's. A name that only begins like one is not. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."))
  );
}

function readToken(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new TenterhookError("bad_runner", `token_file cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new TenterhookError("bad_runner", `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}
