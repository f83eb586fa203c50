import { resolve } from "node:path";
import { TenterhookError } from "@tenterhook/protocol";
import type { McpConnection } from "./connection.ts";
import { httpConnection } from "./http-connection.ts";
import type { McpSdk } from "./sdk.ts";
import type { McpServerConfig } from "./server-config.ts";
import { StdioConnection } from "./stdio-connection.ts";
import { type Environment, fillAll } from "./variables.ts";

export interface ServerEnvironment {
  readonly environment: Environment;
  readonly workDir: string;
}

/**
 * Prepares a connection without opening it. Throws `bad_agent` for a variable that is not set, so that no server has been started
 * when a configuration is invalid.
 */
export function prepareConnection(
  sdk: McpSdk,
  name: string,
  config: McpServerConfig,
  { environment, workDir }: ServerEnvironment,
): () => McpConnection {
  const where = `MCP server ${JSON.stringify(name)}`;
  if (config.url !== undefined) {
    const headers = fillAll(config.headers ?? {}, environment, `${where}: headers`);
    checkHeaders(headers, where);
    return () => httpConnection(sdk, config.url, headers);
  }
  const { command, args = [], cwd = "." } = config;
  // Not the whole environment: it has keys of other services, and servers are not trusted with them.
  const env = {
    ...sdk.getDefaultEnvironment(),
    ...fillAll(config.env ?? {}, environment, `${where}: env`),
  };
  return () => new StdioConnection(sdk, { command, args, env, cwd: resolve(workDir, cwd) });
}

function checkHeaders(headers: Readonly<Record<string, string>>, where: string): void {
  for (const [key, value] of Object.entries(headers)) {
    try {
      new Headers([[key, value]]);
    } catch {
      // The caught error quotes the value, which may be a secret.
      throw new TenterhookError("bad_agent", `${where}: headers.${key} cannot be sent as an HTTP header.`);
    }
  }
}
