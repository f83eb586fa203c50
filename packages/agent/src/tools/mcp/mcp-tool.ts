import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { TenterhookError } from "@tenterhook/protocol";
import type { AgentTool, ToolCallContext } from "../tool.ts";
import { type ConnectedServer, NO_TIMEOUT_MS } from "./connect-server.ts";
import { mcpFailure } from "./failure.ts";
import { ABORTED_RESPONSE } from "./http-connection.ts";
import { resultText, resultValue } from "./result-value.ts";

/**
 * A server's tool as a tool of the agent. Its calls reject with `tool_failed` if the server reports a failure, `tool_timeout` after
 * the timeout, `mcp_failed` if the server has disconnected, and the signal's reason when that fires.
 */
export function mcpTool(server: ConnectedServer, tool: Tool, timeoutMs: number | undefined): AgentTool {
  // Without its output schema: a result that does not match it must not fail the call.
  const { outputSchema: _, ...toolDefinition } = tool;
  return {
    description: tool.description,
    inputSchema: tool.inputSchema,
    timeoutMs,
    async execute(input: Record<string, unknown>, { abortSignal }: Pick<ToolCallContext, "abortSignal">) {
      abortSignal.throwIfAborted();
      if (server.connection.isClosed)
        throw mcpFailure(server.name, server.connection, new Error("it was closed"));
      const params = { name: tool.name, arguments: input };
      // Without its own timeout, the agent's timeout applies, through the signal.
      const options = { timeout: timeoutMs ?? NO_TIMEOUT_MS, signal: abortSignal, toolDefinition };
      const result = await server.client.callTool(params, options).catch((error: unknown) => {
        abortSignal.throwIfAborted();
        throw callFailure(server, tool.name, timeoutMs, error);
      });
      if (result.isError === true) throw toolFailure(server, tool.name, result);
      return resultValue(result);
    },
  };
}

function toolFailure({ name }: ConnectedServer, tool: string, result: CallToolResult): TenterhookError {
  const text = resultText(result) || "it does not say why";
  return new TenterhookError("tool_failed", `${which(name, tool)} failed: ${text}`);
}

function callFailure(
  server: ConnectedServer,
  tool: string,
  timeoutMs: number | undefined,
  cause: unknown,
): TenterhookError {
  const { ProtocolError, SdkError, SdkErrorCode } = server.sdk;
  if (SdkError.isInstance(cause) && cause.code === SdkErrorCode.RequestTimeout) {
    const message = `${which(server.name, tool)} took longer than ${timeoutMs} ms.`;
    return new TenterhookError("tool_timeout", message, { cause });
  }
  // The server answered with an error, so the connection works.
  if (ProtocolError.isInstance(cause) && cause.message !== ABORTED_RESPONSE) {
    return new TenterhookError("tool_failed", `${which(server.name, tool)} failed: ${cause.message}`, {
      cause,
    });
  }
  return mcpFailure(server.name, server.connection, cause);
}

function which(server: string, tool: string): string {
  return `The tool ${JSON.stringify(tool)} of MCP server ${JSON.stringify(server)}`;
}
