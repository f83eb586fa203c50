import { dirname, resolve } from "node:path";
import { type McpServerConfig, type ModelConfig, parseMcpServers } from "@tenterhook/agent";
import { didYouMean, messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { z } from "zod";

const text = z.string().min(1);

const fields = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "must be an address that begins with http:// or https://" }),
  token: text,
  token_file: text,
  coordinator_dir: text,
  name: text.max(200),
  tags: z.array(text.max(63)).max(32),
  concurrency: z.int().min(1).max(1_000),
  models: z.record(z.string(), z.union([text, z.record(z.string(), z.unknown())])),
  mcp_servers: z.record(z.string(), z.unknown()),
  tools: z.array(text),
  env: z.array(text),
  work_dir: text,
  data_dir: text,
  keep_days: z.number().min(0),
  drain_seconds: z.number().min(0),
});

const FIELD_NAMES = Object.keys(fields.shape);

/** A runner's configuration file, as it was written; paths are absolute. */
export interface RunnerConfig {
  /** Default: what the coordinator on this machine left in its data folder, as for the token. */
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  /** The data folder of a coordinator on this machine. */
  readonly coordinatorDir?: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly concurrency?: number;
  readonly models?: Readonly<Record<string, ModelConfig>>;
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /** Modules that export tools by name: paths, or names of packages. */
  readonly toolModules?: readonly string[];
  readonly env?: readonly string[];
  readonly workDir?: string;
  readonly dataDir?: string;
  readonly keepDays?: number;
  readonly drainSeconds?: number;
  /** The folder of the file, which paths in it count from. */
  readonly baseDir: string;
}

/**
 * Reads a configuration out of parsed JSON. `file` is where it came from: paths count from there, and errors name it. Throws
 * `bad_runner`, with the field in the message.
 */
export function parseRunnerConfig(json: unknown, file?: string): RunnerConfig {
  const where = file ?? "the runner's configuration";
  const baseDir = file === undefined ? process.cwd() : dirname(resolve(file));
  const read = fields.partial().safeParse(json);
  if (!read.success) throw bad(where, read.error.issues[0]);
  const given = read.data;
  if (given.token !== undefined && given.token_file !== undefined) {
    throw bad(where, { path: ["token_file"], message: "give token or token_file, and not both" });
  }
  const path = (value: string | undefined) => (value === undefined ? undefined : resolve(baseDir, value));
  return defined({
    url: given.url,
    token: given.token,
    tokenFile: path(given.token_file),
    coordinatorDir: path(given.coordinator_dir),
    name: given.name,
    tags: given.tags,
    concurrency: given.concurrency,
    // Looked at from outside only: what a configuration means is known when the model is made.
    models: given.models as Readonly<Record<string, ModelConfig>> | undefined,
    mcpServers: given.mcp_servers === undefined ? undefined : servers(given.mcp_servers, where),
    toolModules: given.tools,
    env: given.env,
    workDir: path(given.work_dir),
    dataDir: path(given.data_dir),
    keepDays: given.keep_days,
    drainSeconds: given.drain_seconds,
    baseDir,
  });
}

function servers(value: unknown, where: string): Readonly<Record<string, McpServerConfig>> {
  try {
    return parseMcpServers(value);
  } catch (error) {
    throw new TenterhookError("bad_runner", `${where}: mcp_servers: ${messageOf(error)}`, { cause: error });
  }
}

function bad(where: string, issue: Pick<z.core.$ZodIssue, "path" | "message"> | undefined): TenterhookError {
  const { path = [], message = "it does not fit" } = issue ?? {};
  const { keys = [] } = (issue ?? {}) as { readonly keys?: readonly string[] };
  const [unknown] = keys;
  if (unknown === undefined) {
    const field = path.join(".");
    return new TenterhookError("bad_runner", `${where}: ${field === "" ? "" : `${field}: `}${message}.`);
  }
  return new TenterhookError("bad_runner", `${where}: there is no field "${unknown}".`, {
    hint: didYouMean(unknown, FIELD_NAMES, `The fields are ${FIELD_NAMES.join(", ")}.`),
  });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the fields that were not given. */
function defined<T extends { readonly baseDir: string }>(
  config: T,
): Defined<T> & { readonly baseDir: string } {
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<T> & { readonly baseDir: string };
}
