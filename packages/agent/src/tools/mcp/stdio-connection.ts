import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpConnection } from "./connection.ts";
import type { McpSdk } from "./sdk.ts";
import { type ServerCommand, ServerProcess } from "./server-process.ts";

/** Enough for a message with an image; limits a server that never ends its line. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/**
 * A connection through standard input and output. The SDK's own transport only signals the process that it started and does not wait
 * for its exit, so a server behind `npx` would outlive it.
 */
export class StdioConnection implements McpConnection, Transport {
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  onmessage?: Transport["onmessage"];
  readonly kind = "process";
  readonly target: string;
  readonly #sdk: McpSdk;
  readonly #command: ServerCommand;
  readonly #buffer: InstanceType<McpSdk["ReadBuffer"]>;
  #process: ServerProcess | undefined;
  #fault: string | undefined;
  #isClosed = false;

  constructor(sdk: McpSdk, command: ServerCommand) {
    this.#sdk = sdk;
    this.#command = command;
    this.#buffer = new sdk.ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
    this.target = [command.command, ...command.args].join(" ");
  }

  get transport(): Transport {
    return this;
  }

  get disconnectReason(): string | undefined {
    // After close, the exit of the process is expected.
    return this.#fault ?? (this.#isClosed ? undefined : this.#process?.exitDescription);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get stderrTail(): string {
    return this.#process?.stderrTail ?? "";
  }

  async start(): Promise<void> {
    const started = new ServerProcess(this.#command, (chunk) => this.#read(chunk));
    this.#process = started;
    void started.ended.then(() => this.onclose?.());
    await started.started;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { SdkError, SdkErrorCode, serializeMessage } = this.#sdk;
    if (this.#process === undefined || this.#isClosed || this.disconnectReason !== undefined) {
      throw new SdkError(SdkErrorCode.NotConnected, "the process does not run");
    }
    try {
      await this.#process.write(serializeMessage(message));
    } catch (error) {
      // Its input is closed. The exit code and the end of stderr are known once it has ended.
      await this.#process.end();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#fault = this.disconnectReason;
    this.#isClosed = true;
    await this.#process?.end();
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch {
      this.#fault ??= `sent a message of more than ${MAX_MESSAGE_BYTES} bytes`;
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // This line is not a message; the next one may be.
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }
}
