import { isRecord, LONGEST_TIMER_MS } from "@tenterhook/internal";
import { badConfig, type FieldKind, readFields, TEXTS, TEXTS_BY_NAME, typeName } from "../../read-fields.ts";

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

const NON_EMPTY: FieldKind<string> = {
  accepts: (value) => typeof value === "string" && value !== "",
  what: "a text that is not empty",
};
const ADDRESS: FieldKind<string> = {
  accepts: isAddress,
  what: "an address that begins with http:// or https://, without a password",
};
const TIMEOUT: FieldKind<number> = {
  accepts: (value) => typeof value === "number" && value >= 1 && value <= LONGEST_TIMER_MS,
  what: `a number of milliseconds from 1 to ${LONGEST_TIMER_MS}`,
};

const PROGRAM = { command: NON_EMPTY, args: TEXTS, env: TEXTS_BY_NAME, cwd: NON_EMPTY };
const ENDPOINT = { url: ADDRESS, headers: TEXTS_BY_NAME };
const FIELDS = { ...PROGRAM, ...ENDPOINT, timeoutMs: TIMEOUT, tools: TEXTS };

/**
 * Reads servers by name from parsed JSON. Throws `bad_agent`, with the server and the field in the message. `${NAME}` is not
 * expanded, so that a configuration can be shown and stored without secrets.
 */
export function parseMcpServers(value: unknown): McpServers {
  if (!isRecord(value)) {
    throw badConfig(`The MCP servers must be an object of servers by name, not ${typeName(value)}.`);
  }
  const taken = new Map<string, string>();
  const servers = Object.entries(value).map(([name, server]): [string, McpServerConfig] => {
    const prefix = serverPrefix(name);
    const other = taken.get(prefix);
    if (other !== undefined) {
      const both = [other, name].map((server) => JSON.stringify(server)).join(" and ");
      throw badConfig(`The MCP servers ${both} would both be called "${prefix}".`);
    }
    taken.set(prefix, name);
    return [name, parseServer(name, server)];
  });
  return Object.fromEntries(servers);
}

function parseServer(name: string, value: unknown): McpServerConfig {
  const where = `MCP server ${JSON.stringify(name)}`;
  const fields = readFields(where, value, FIELDS);
  const { command, url } = fields;
  if ((command === undefined) === (url === undefined)) {
    const many = url === undefined ? "has neither command nor url" : "has both command and url";
    throw badConfig(`${where} ${many}. Give command for a program to start, or url for a server to reach.`);
  }
  const [kind, others] = url === undefined ? ["command", ENDPOINT] : ["url", PROGRAM];
  const other = Object.keys(others).find((field) => fields[field as keyof typeof fields] !== undefined);
  if (other !== undefined) throw badConfig(`${where} has ${kind}, and ${other} means nothing there.`);
  // It has the fields of one kind, as was checked above.
  return fields as McpServerConfig;
}

/** Leaves 30 characters for the tool. */
const MAX_PREFIX = 32;

/**
 * The prefix of a server's tool names: letters, digits, `-` and single `_` inside. So the first `__` of a name always ends the
 * server's part, and no server can use another's prefix.
 */
export function serverPrefix(server: string): string {
  const prefix = server.replaceAll(/[^A-Za-z0-9-]+/g, "_").replaceAll(/^_|_$/g, "");
  if (prefix === "" || prefix.length > MAX_PREFIX) {
    const quoted = JSON.stringify(server.slice(0, 60));
    const rule = `have a letter, a digit or "-", and at most ${MAX_PREFIX} characters`;
    throw badConfig(`The name of MCP server ${quoted} must ${rule}.`);
  }
  return prefix;
}

function isAddress(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  // fetch rejects a password in an address, and error messages show addresses.
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}
