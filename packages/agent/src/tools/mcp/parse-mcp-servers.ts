import { didYouMean, isRecord, LONGEST_TIMER_MS } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

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

interface Field {
  readonly accepts: (value: unknown) => boolean;
  /** The end of the sentence "it must be …". */
  readonly what: string;
}

const TEXTS: Field = { accepts: isTexts, what: "a list of texts" };
const TEXTS_BY_NAME: Field = { accepts: isTextsByName, what: "an object of texts" };
const NON_EMPTY: Field = {
  accepts: (value) => isText(value) && value !== "",
  what: "a text that is not empty",
};

const BOTH_KINDS = {
  timeoutMs: { accepts: isTimeout, what: `a number of milliseconds from 1 to ${LONGEST_TIMER_MS}` },
  tools: TEXTS,
} satisfies Record<string, Field>;

const FIELDS = {
  command: { command: NON_EMPTY, args: TEXTS, env: TEXTS_BY_NAME, cwd: NON_EMPTY, ...BOTH_KINDS },
  url: {
    url: { accepts: isAddress, what: "an address that begins with http:// or https://, without a password" },
    headers: TEXTS_BY_NAME,
    ...BOTH_KINDS,
  },
} satisfies Record<string, Record<string, Field>>;

/**
 * Reads servers by name from parsed JSON. Throws `bad_agent`, with the server and the field in the message. `${NAME}` is not
 * expanded, so that a configuration can be shown and stored without secrets.
 */
export function parseMcpServers(value: unknown): McpServers {
  if (!isRecord(value))
    throw wrong(`The MCP servers must be an object of servers by name, not ${kind(value)}.`);
  const taken = new Map<string, string>();
  const servers = Object.entries(value).map(([name, server]): [string, McpServerConfig] => {
    const prefix = serverPrefix(name);
    const other = taken.get(prefix);
    if (other !== undefined) {
      throw wrong(`The MCP servers ${quote(other)} and ${quote(name)} would both be called "${prefix}".`);
    }
    taken.set(prefix, name);
    return [name, parseServer(name, server)];
  });
  return Object.fromEntries(servers);
}

function parseServer(name: string, value: unknown): McpServerConfig {
  const where = `MCP server ${quote(name)}`;
  if (!isRecord(value)) throw wrong(`${where} must be an object, not ${kind(value)}.`);
  const given = Object.keys(value).filter((field) => value[field] !== undefined);
  const known = Object.keys({ ...FIELDS.command, ...FIELDS.url });
  for (const field of given) {
    if (!known.includes(field)) {
      const hint = didYouMean(field, known, `The fields are ${known.join(", ")}.`);
      throw wrong(`${where} has no field ${quote(field)}. ${hint}`);
    }
  }
  if (given.includes("command") === given.includes("url")) {
    const many = given.includes("command") ? "has both command and url" : "has neither command nor url";
    throw wrong(`${where} ${many}. Give command for a program to start, or url for a server to reach.`);
  }
  const by = given.includes("command") ? "command" : "url";
  const fields: Readonly<Record<string, Field>> = FIELDS[by];
  for (const field of given) {
    const rule = fields[field];
    if (rule === undefined) throw wrong(`${where} has ${by}, and ${field} means nothing there.`);
    if (!rule.accepts(value[field])) throw wrong(`${where}: ${field} must be ${rule.what}.`);
  }
  // Every field was checked above, which TypeScript cannot follow.
  return value as unknown as McpServerConfig;
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
    throw wrong(`The name of MCP server ${quoted} must ${rule}.`);
  }
  return prefix;
}

function isAddress(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  // fetch rejects a password in an address, and error messages show addresses.
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}

function isTimeout(value: unknown): boolean {
  return typeof value === "number" && value >= 1 && value <= LONGEST_TIMER_MS;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isTextsByName(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function wrong(message: string): TenterhookError {
  return new TenterhookError("bad_agent", message);
}

function quote(name: string): string {
  return JSON.stringify(name);
}
