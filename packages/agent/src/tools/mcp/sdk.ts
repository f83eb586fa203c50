/** The parts of the MCP SDK that are used. */
export type McpSdk = typeof import("@modelcontextprotocol/client") &
  Pick<typeof import("@modelcontextprotocol/client/stdio"), "getDefaultEnvironment">;

/** Loads the MCP SDK with the first server, so that other agents do not load it. */
export async function loadMcpSdk(): Promise<McpSdk> {
  const [client, { getDefaultEnvironment }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/stdio"),
  ]);
  return { ...client, getDefaultEnvironment };
}
