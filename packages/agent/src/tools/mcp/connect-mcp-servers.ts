import type { AgentTools } from "../tool.ts";
import type { McpConnection } from "./connection.ts";
import { parseMcpServers } from "./parse-mcp-servers.ts";
import { prepareConnection } from "./prepare-connection.ts";
import { loadMcpSdk } from "./sdk.ts";
import type { McpServers } from "./server-config.ts";
import { type StartedServer, startServer } from "./start-server.ts";
import type { Environment } from "./variables.ts";

export interface McpOptions {
  /** Aborts the start. Has no effect once the servers are connected. */
  readonly signal?: AbortSignal | undefined;
  /** The client's name and version for the servers. Default: tenterhook. */
  readonly clientInfo?: { readonly name: string; readonly version: string } | undefined;
  /** The values of `${NAME}`. Default: `process.env`. */
  readonly environment?: Environment | undefined;
  /** The folder that servers start in, and the base of a relative `cwd`. Default: the working directory of the process. */
  readonly workDir?: string | undefined;
}

/** Connected servers and their tools. */
export interface McpConnections extends AsyncDisposable {
  /** By the names for the model: `server__tool`. */
  readonly tools: AgentTools;
  /** Warnings about tools that were shortened or dropped. */
  readonly notices: readonly string[];
  /** Closes every connection and ends every process. Never rejects; it may be called more than once. */
  close(): Promise<void>;
}

const CLIENT_INFO = { name: "tenterhook", version: "0.1.0" };

/**
 * Connects to all servers in parallel and lists their tools, once. Rejects with `bad_agent` for an invalid configuration,
 * `mcp_failed` for the first server that cannot be reached, and the signal's reason when that fires; then all started servers are
 * ended.
 */
export async function connectMcpServers(
  servers: McpServers,
  options: McpOptions = {},
): Promise<McpConnections> {
  const entries = Object.entries(parseMcpServers(servers));
  if (entries.length === 0) return new Connections([]);
  const { environment = process.env, workDir = process.cwd(), clientInfo = CLIENT_INFO } = options;
  const sdk = await loadMcpSdk();
  const prepared = entries.map(([name, config]) => {
    return { name, config, open: prepareConnection(sdk, name, config, { environment, workDir }) };
  });
  const failed = new AbortController();
  const signals = options.signal === undefined ? [failed.signal] : [failed.signal, options.signal];
  const settled = await Promise.allSettled(
    prepared.map(async ({ name, config, open }) => {
      try {
        return await startServer(name, config, { sdk, clientInfo, open, signal: AbortSignal.any(signals) });
      } catch (error) {
        // The first failure is reported; the other starts are aborted because of it.
        failed.abort(error);
        throw error;
      }
    }),
  );
  const connections = new Connections(
    settled.flatMap((each) => (each.status === "fulfilled" ? each.value : [])),
  );
  if (failed.signal.aborted) {
    await connections.close();
    throw failed.signal.reason;
  }
  return connections;
}

class Connections implements McpConnections {
  readonly tools: AgentTools;
  readonly notices: readonly string[];
  readonly #connections: readonly McpConnection[];

  constructor(servers: readonly StartedServer[]) {
    this.tools = Object.assign({}, ...servers.map(({ tools }) => tools));
    this.notices = servers.flatMap(({ notices }) => notices);
    this.#connections = servers.map(({ connection }) => connection);
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
