import { resolve } from "node:path";
import { fillVariables, onAbort, ownField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { badConfig } from "../../read-fields.ts";
import { httpConnection, type McpConnection, type McpSdk, mcpFailure, NO_TIMEOUT_MS } from "./connection.ts";
import { listTools, type ServerTools } from "./list-tools.ts";
import { type McpServerConfig, type McpServers, parseMcpServers } from "./parse-mcp-servers.ts";
import { stdioConnection } from "./stdio-connection.ts";

export interface McpOptions {
  /** Aborts the start. Has no effect once the servers are connected. */
  readonly signal?: AbortSignal | undefined;
  /** The values of `${NAME}`. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The folder that servers start in, and the base of a relative `cwd`. Default: the working directory of the process. */
  readonly workDir?: string | undefined;
}

/** Connected servers and their tools. */
export interface McpConnections extends ServerTools {
  /** Closes every connection and ends every process. Never rejects; it may be called more than once. */
  close(): Promise<void>;
}

/** The client's name and version for the servers. */
const CLIENT_INFO = { name: "tenterhook", version: "0.1.0" };

/** Long enough for `npx` to download a server. */
const START_TIMEOUT_MS = 60_000;

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
  if (entries.length === 0) return connectionsOf([]);
  const { environment = process.env, workDir = process.cwd() } = options;
  const sdk = await loadMcpSdk();
  const prepared = entries.map(([name, config]) => {
    return { name, config, open: prepareConnection(sdk, name, config, environment, workDir) };
  });
  const failed = new AbortController();
  const signals = options.signal === undefined ? [failed.signal] : [failed.signal, options.signal];
  const settled = await Promise.allSettled(
    prepared.map(async (server) => {
      try {
        return await startServer(server, sdk, AbortSignal.any(signals));
      } catch (error) {
        // The first failure is reported; the other starts are aborted because of it.
        failed.abort(error);
        throw error;
      }
    }),
  );
  const started = settled.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  const connections = connectionsOf(started);
  if (failed.signal.aborted) {
    await connections.close();
    throw failed.signal.reason;
  }
  return connections;
}

function connectionsOf(servers: readonly StartedServer[]): McpConnections {
  return {
    tools: Object.assign({}, ...servers.map(({ tools }) => tools)),
    notices: servers.flatMap(({ notices }) => notices),
    async close() {
      await Promise.all(servers.map(({ connection }) => connection.close()));
    },
  };
}

/** Loads the MCP SDK with the first server, so that other agents do not load it. */
async function loadMcpSdk(): Promise<McpSdk> {
  const [client, { getDefaultEnvironment }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]);
  return { ...client, getDefaultEnvironment };
}

/**
 * Prepares a connection without opening it. Throws `bad_agent` for a variable that is not set, so that no server has been started
 * when a configuration is invalid.
 */
function prepareConnection(
  sdk: McpSdk,
  name: string,
  config: McpServerConfig,
  environment: Environment,
  workDir: string,
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
  return () => stdioConnection(sdk, { command, args, env, cwd: resolve(workDir, cwd) });
}

function checkHeaders(headers: Readonly<Record<string, string>>, where: string): void {
  for (const [key, value] of Object.entries(headers)) {
    try {
      new Headers([[key, value]]);
    } catch {
      // The caught error quotes the value, which may be a secret.
      throw badConfig(`${where}: headers.${key} cannot be sent as an HTTP header.`);
    }
  }
}

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `${NAME}` by the values of environment variables. Throws `bad_agent` for one that is not set, because a server with an
 * empty token would fail later and less clearly. Values are not expanded again, and never shown.
 */
export function fillAll(
  texts: Readonly<Record<string, string>>,
  environment: Environment,
  where: string,
): Record<string, string> {
  const fill = (key: string) => (name: string, isName: boolean) => {
    if (!isName) throw badConfig(`${where}.${key}: \${${name}} does not name a variable.`);
    const value = ownField(environment, name);
    if (value === undefined) throw badConfig(`${where}.${key}: the environment variable ${name} is not set.`);
    return value;
  };
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, fillVariables(text, fill(key))]),
  );
}

/** A connected server and its tools. */
interface StartedServer extends ServerTools {
  readonly connection: McpConnection;
}

/**
 * Connects to one server and lists its tools, within its timeout. Rejects with `mcp_failed`, or with the signal's reason when that
 * fires first; in both cases nothing is left open.
 *
 * Revision 2026-07-28 starts without the `initialize` of earlier ones. An HTTP server is asked for its revision. A process is not,
 * because many servers of earlier revisions exit on a request before `initialize`; servers that only support the new revision
 * report that, and are started again.
 */
async function startServer(
  server: { readonly name: string; readonly config: McpServerConfig; readonly open: () => McpConnection },
  sdk: McpSdk,
  cancelled: AbortSignal,
): Promise<StartedServer> {
  const { name, config, open } = server;
  const limit = Math.ceil(config.timeoutMs ?? START_TIMEOUT_MS);
  const timeout = AbortSignal.timeout(limit);
  const signal = AbortSignal.any([cancelled, timeout]);
  let connection = open();
  // Not every step of the handshake observes a signal, but each one ends with its connection.
  const release = onAbort(signal, () => void connection.close());
  const connect = async (mode: "legacy" | "auto") => {
    signal.throwIfAborted();
    const client = new sdk.Client(CLIENT_INFO, { versionNegotiation: { mode } });
    await client.connect(connection.transport, { signal, timeout: NO_TIMEOUT_MS });
    return client;
  };
  try {
    const isProcess = config.url === undefined;
    const client = await connect(isProcess ? "legacy" : "auto").catch(async (error) => {
      if (!isProcess || !knowsOnlyTheNewRevision(error, sdk)) throw error;
      await connection.close();
      connection = open();
      return connect("auto");
    });
    return { connection, ...(await listTools({ name, sdk, client, connection }, config, signal)) };
  } catch (error) {
    await connection.close();
    if (signal.aborted && signal.reason !== timeout.reason) throw signal.reason;
    if (signal.aborted) throw mcpFailure(name, connection, new Error(`it was not ready within ${limit} ms`));
    throw TenterhookError.isInstance(error) ? error : mcpFailure(name, connection, error);
  } finally {
    release();
  }
}

function knowsOnlyTheNewRevision(error: unknown, { ProtocolError, ProtocolErrorCode }: McpSdk): boolean {
  if (!ProtocolError.isInstance(error)) return false;
  const { UnsupportedProtocolVersion, MethodNotFound } = ProtocolErrorCode;
  return error.code === UnsupportedProtocolVersion || error.code === MethodNotFound;
}
