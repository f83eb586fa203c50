import type { Implementation } from "@modelcontextprotocol/client";
import type { AgentTool, AgentTools } from "../tool.ts";
import { type ConnectedServer, connectServer } from "./connect-server.ts";
import type { McpConnection } from "./connection.ts";
import { StartTimeout, startFailure } from "./failure.ts";
import { listTools } from "./list-tools.ts";
import { mcpTool } from "./mcp-tool.ts";
import type { McpSdk } from "./sdk.ts";
import type { McpServerConfig } from "./server-config.ts";
import { nameTools } from "./tool-names.ts";

/** A connected server and its tools. */
export interface StartedServer {
  readonly connection: McpConnection;
  readonly tools: AgentTools;
  readonly notices: readonly string[];
}

export interface Start {
  readonly sdk: McpSdk;
  readonly clientInfo: Implementation;
  readonly open: () => McpConnection;
  readonly signal: AbortSignal;
}

/** Long enough for `npx` to download a server. */
const START_TIMEOUT_MS = 60_000;

/** Connects to one server and lists its tools, within its timeout. Rejects like `connectServer`, with nothing left open. */
export async function startServer(
  name: string,
  { timeoutMs, tools: allowed }: McpServerConfig,
  { sdk, clientInfo, open, signal: given }: Start,
): Promise<StartedServer> {
  const timeout = new AbortController();
  const limit = timeoutMs ?? START_TIMEOUT_MS;
  const timer = setTimeout(() => timeout.abort(new StartTimeout(limit)), limit);
  const signal = AbortSignal.any([given, timeout.signal]);
  try {
    const server = await connectServer(name, open, { sdk, clientInfo, signal });
    return await readTools(server, allowed, timeoutMs, signal);
  } finally {
    clearTimeout(timer);
  }
}

async function readTools(
  server: ConnectedServer,
  allowed: readonly string[] | undefined,
  timeoutMs: number | undefined,
  signal: AbortSignal,
): Promise<StartedServer> {
  try {
    const { tools, notices } = await listTools(server, allowed, signal);
    const named = [...nameTools(server.name, tools)].map(([name, tool]): [string, AgentTool] => {
      return [name, mcpTool(server, tool, timeoutMs)];
    });
    return { connection: server.connection, tools: Object.fromEntries(named), notices };
  } catch (error) {
    await server.connection.close();
    throw startFailure(server.name, server.connection, signal, error);
  }
}
