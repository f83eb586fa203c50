/** What is used of the MCP SDK. */
export type McpSdk = typeof import("@modelcontextprotocol/client") &
  Pick<typeof import("@modelcontextprotocol/client/stdio"), "getDefaultEnvironment">;

/** Loads the MCP SDK, with the first server, so that agents without any do not pay for it. */
export async function loadMcpSdk(): Promise<McpSdk> {
  const [client, { getDefaultEnvironment }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]);
  return { ...client, getDefaultEnvironment };
}
