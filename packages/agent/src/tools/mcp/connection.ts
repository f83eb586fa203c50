import type { Transport } from "@modelcontextprotocol/client";

/** A connection to one server. */
export interface McpConnection {
  readonly kind: "process" | "http";
  readonly transport: Transport;
  /** The command, or the address without its query, for error messages. */
  readonly target: string;
  /** Why the server disconnected by itself, as the end of the sentence "it …"; `undefined` while it has not. */
  readonly disconnectReason: string | undefined;
  readonly isClosed: boolean;
  /** The end of the server's stderr, if it has one. */
  readonly stderrTail: string;
  /** Closes the connection and ends the process behind it. Never rejects; it may be called more than once. */
  close(): Promise<void>;
}
