import type { AgentTools } from "../tool.ts";
import type { McpConnection } from "./connection.ts";
import { parseMcpServers } from "./parse-mcp-servers.ts";
import { prepareConnection } from "./prepare-connection.ts";
import { loadMcpSdk } from "./sdk.ts";
import type { McpServers } from "./server-config.ts";
import { type StartedServer, startServer } from "./start-server.ts";
import type { Environment } from "./variables.ts";

export interface McpOptions {
  /** Gives the start up. Has no effect once the servers are connected. */
  readonly signal?: AbortSignal | undefined;
  /** What the servers are told about us. Default: tenterhook. */
  readonly clientInfo?: { readonly name: string; readonly version: string } | undefined;
  /** Where `${NAME}` is looked up. Default: `process.env`. */
  readonly environment?: Environment | undefined;
  /** The folder that servers start in, and that a relative `cwd` counts from. Default: the process's. */
  readonly workDir?: string | undefined;
}

/** Servers that run, and what they offer. */
export interface McpConnections extends AsyncDisposable {
  /** By the names that the model calls them by: `server__tool`. */
  readonly tools: AgentTools;
  /** What was cut or left out of the servers' lists, as sentences. */
  readonly notices: readonly string[];
  /** Ends every connection and every process. Never rejects; any number of calls is one. */
  close(): Promise<void>;
}

const CLIENT_INFO = { name: "tenterhook", version: "0.1.0" };

/**
 * Connects to all servers at once and reads what tools they have, once. Rejects with `bad_agent` for a configuration that
 * is wrong, `mcp_failed` for the first server that cannot be reached, and the signal's reason when that fires; nothing
 * that was started is left running then.
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
        // The first failure is the one that is told; the others are given up because of it.
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
  readonly #links: readonly McpConnection[];

  constructor(servers: readonly StartedServer[]) {
    this.tools = Object.assign({}, ...servers.map(({ tools }) => tools));
    this.notices = servers.flatMap(({ notices }) => notices);
    this.#links = servers.map(({ connection }) => connection);
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map((connection) => connection.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
