export { connectMcpServers, type McpConnections, type McpOptions } from "./connect-mcp-servers.ts";
export type { McpBlock } from "./list-tools.ts";
export {
  type HttpServerConfig,
  type McpServerConfig,
  type McpServers,
  parseMcpServers,
  type StdioServerConfig,
} from "./parse-mcp-servers.ts";
