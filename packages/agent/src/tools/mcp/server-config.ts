interface EveryServer {
  /** How long the start may take, and how long each call. Default: a minute to start; calls like every tool of the agent. */
  readonly timeoutMs?: number | undefined;
  /** The tools to offer, by the server's own names. Default: all of them. */
  readonly tools?: readonly string[] | undefined;
}

/** A server that is started as a process and spoken to through its standard input and output. */
export interface StdioServerConfig extends EveryServer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables that every server gets. `${NAME}` stands for an environment variable of ours. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder it starts in. Default: the folder that the agent works in. */
  readonly cwd?: string | undefined;
  readonly url?: undefined;
}

/** A server that is reached over streamable HTTP. */
export interface HttpServerConfig extends EveryServer {
  readonly url: string;
  /** Sent with every request. `${NAME}` stands for an environment variable. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly command?: undefined;
}

export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** Servers by the names that their tools are prefixed with. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;
