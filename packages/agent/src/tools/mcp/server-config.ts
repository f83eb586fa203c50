interface EveryServer {
  /** The timeout of the start and of each call. Default: a minute for the start, the agent's `toolTimeoutMs` for calls. */
  readonly timeoutMs?: number | undefined;
  /** The tools to offer, by the server's own names. Default: all of them. */
  readonly tools?: readonly string[] | undefined;
}

/** A server that is started as a process and uses standard input and output. */
export interface StdioServerConfig extends EveryServer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables that every server gets. `${NAME}` is replaced by an environment variable of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder it starts in. Default: the agent's work folder. */
  readonly cwd?: string | undefined;
  readonly url?: undefined;
}

/** A server that is reached over streamable HTTP. */
export interface HttpServerConfig extends EveryServer {
  readonly url: string;
  /** Sent with every request. `${NAME}` is replaced by an environment variable. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly command?: undefined;
}

/** An MCP server: a program to start, or a URL. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** Servers by name; the names are the prefixes of their tools. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;
