import type { Transport } from "@modelcontextprotocol/client";

/** The way to one server. */
export interface Link {
  readonly kind: "process" | "http";
  readonly transport: Transport;
  /** What is tried, for error messages: a command, or an address without its query. */
  readonly tried: string;
  /** How the server broke off by itself, after "it"; `undefined` while it has not. */
  readonly broke: string | undefined;
  readonly isClosed: boolean;
  /** What the server wrote to stderr last, where it has one. */
  readonly lastWords: string;
  /** Ends the connection and the process behind it. Never rejects; any number of calls is one. */
  close(): Promise<void>;
}
