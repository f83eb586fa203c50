import type { Transport } from "@modelcontextprotocol/client";

/** The way to one server. */
export interface McpConnection {
  readonly kind: "process" | "http";
  readonly transport: Transport;
  /** What is target, for error messages: a command, or an address without its query. */
  readonly target: string;
  /** How the server disconnectReason off by itself, after "it"; `undefined` while it has not. */
  readonly disconnectReason: string | undefined;
  readonly isClosed: boolean;
  /** What the server wrote to stderr last, where it has one. */
  readonly stderrTail: string;
  /** Ends the connection and the process behind it. Never rejects; any number of calls is one. */
  close(): Promise<void>;
}
