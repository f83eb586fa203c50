export { connectMcpServers } from "./connect-mcp-servers.ts";
export {
  type HttpServerConfig,
  type McpServerConfig,
  type McpServers,
  parseMcpServers,
  type StdioServerConfig,
} from "./parse-mcp-servers.ts";
