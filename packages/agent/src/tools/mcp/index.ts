export { connectMcpServers, type McpConnections, type McpOptions } from "./connect-mcp-servers.ts";
export { parseMcpServers } from "./parse-mcp-servers.ts";
export type { McpBlock } from "./result-value.ts";
export type { HttpServerConfig, McpServerConfig, McpServers, StdioServerConfig } from "./server-config.ts";
