import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import type { ServedCoordinator, ServeOptions } from "@tenterhook/coordinator";
import { messageOf } from "@tenterhook/internal";
import { wholeNumber } from "../read-arguments.ts";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { dataFolder, makeDataFolder } from "./data-folder.ts";
import { systemUser } from "./system-user.ts";

/** The default port of a coordinator. */
const DEFAULT_PORT = 4100;

/** The options of the commands that start a coordinator. */
export const COORDINATOR_OPTIONS = {
  port: {
    type: "string",
    value: "N",
    about: `the port (default: ${DEFAULT_PORT}); 0 for any free port`,
  },
  data: { type: "string", value: "D", about: "the data folder (default: ~/.local/share/tenterhook)" },
  "allow-host": {
    type: "list",
    value: "NAME",
    about: "a host name that it accepts, in addition to localhost",
  },
  "trust-proxy": {
    type: "list",
    value: "NET",
    about: "an address or network of proxies whose X-Forwarded-For counts",
  },
  "allow-variable": {
    type: "list",
    value: "NAME",
    about: "an environment variable that headers of http hooks may use",
  },
  "allow-private": {
    type: "list",
    value: "NET",
    about: "a network, address or host that http hooks may call although it is not public",
  },
  "awaited-calls": {
    type: "string",
    value: "N",
    about: "how many http hooks that runs wait for it calls at a time (default: 128)",
  },
  "unawaited-calls": {
    type: "string",
    value: "N",
    about: "how many other http hooks it calls at a time (default: 64)",
  },
  "target-calls": {
    type: "string",
    value: "N",
    about: "how many of each of them may be of one scheme, host and port (default: 16)",
  },
  prices: {
    type: "string",
    value: "FILE",
    about: "a JSON file with what models cost, to show the cost of runs",
  },
} as const;

export interface CoordinatorValues {
  readonly port: string | undefined;
  readonly data: string | undefined;
  readonly "allow-host": readonly string[];
  readonly "trust-proxy": readonly string[];
  readonly "allow-variable": readonly string[];
  readonly "allow-private": readonly string[];
  readonly "awaited-calls": string | undefined;
  readonly "unawaited-calls": string | undefined;
  readonly "target-calls": string | undefined;
  readonly prices: string | undefined;
}

/** Starts a coordinator in this process, over the data folder's own database or the server of DATABASE_URL. */
export async function startCoordinator(
  values: CoordinatorValues,
  more: Pick<ServeOptions, "host"> = {},
): Promise<ServedCoordinator> {
  const listened = wholeNumber("--port", values.port, 0) ?? DEFAULT_PORT;
  const webhooks = {
    variables: allowedVariables(values["allow-variable"]),
    allowPrivate: values["allow-private"],
  };
  const calls = callLimits(values);
  const prices = values.prices === undefined ? undefined : readPricesFile(values.prices);
  const folder = dataFolder(values.data);
  makeDataFolder(folder);
  await checkPort(listened, more.host);
  // Loaded here, so that --help does not load a database.
  const [{ serveCoordinator }, { pageFolder }] = await Promise.all([
    import("@tenterhook/coordinator"),
    import("@tenterhook/dashboard"),
  ]);
  try {
    const served = await serveCoordinator({
      folder,
      url: process.env.DATABASE_URL || undefined,
      port: listened,
      page: pageFolder,
      report: (error, errorId) => notify(`${errorId === undefined ? "" : `${errorId}: `}${logText(error)}`),
      hosts: values["allow-host"],
      trustedProxies: values["trust-proxy"],
      user: await systemUser(),
      webhooks,
      calls,
      // The coordinator checks them.
      ...(prices !== undefined && { prices: prices as NonNullable<ServeOptions["prices"]> }),
      ...more,
    });
    writeFileSync(join(folder, OPTIONS_FILE), JSON.stringify(comparable(values)));
    return served;
  } catch (error) {
    throw explained(error, listened);
  }
}

/** With what the coordinator of a data folder was started, beside its address and token. */
const OPTIONS_FILE = "options.json";

/** The options, as `--name`, that the running coordinator of a data folder at this address does not have. */
export function optionsNotApplied(values: CoordinatorValues, folder: string, url: string): readonly string[] {
  const running = readOptions(folder);
  const isOther = ([name, value]: readonly [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(running[name]);
  const others = Object.entries(comparable(values))
    .filter(isOther)
    .map(([name]) => `--${name}`);
  const isAnyPort = values.port === undefined || Number(values.port) === 0;
  return isAnyPort || Number(values.port) === Number(new URL(url).port) ? others : ["--port", ...others];
}

/** The options that were given, in the form in which two starts are compared. The port is that of the address. */
function comparable(values: CoordinatorValues): Readonly<Record<string, unknown>> {
  const { port: _, data: __, prices, ...rest } = values;
  const names = Object.keys(COORDINATOR_OPTIONS) as (keyof CoordinatorValues)[];
  const given: Record<string, unknown> = {};
  for (const name of names) {
    const value = rest[name as keyof typeof rest];
    if (typeof value === "string") given[name] = value;
    else if (value !== undefined && value.length > 0) given[name] = [...new Set(value)].sort();
  }
  return { ...given, ...(prices !== undefined && { prices: resolve(prices) }) };
}

/** None of an earlier version, which wrote no such file. */
function readOptions(folder: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readFileSync(join(folder, OPTIONS_FILE), "utf8")));
  } catch {
    return {};
  }
}

/** Checks the port before a database is created. */
async function checkPort(port: number, host = "127.0.0.1"): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw explained(error, port);
  }
  server.close();
  await once(server, "close");
}

/** The full text of an internal error, for the log. */
function logText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

function explained(error: unknown, port: number): unknown {
  const { code, syscall } = Object(error) as { code?: unknown; syscall?: unknown };
  if (code === "EADDRINUSE") {
    return new UsageError(
      `port ${port} is in use.`,
      "Another coordinator may be using it. Use another --port, or 0 for any free port.",
      { code },
    );
  }
  if (code === "EACCES" && syscall === "listen")
    return new UsageError(`port ${port} is not permitted.`, "Use a --port above 1023.", { code });
  if (error instanceof TypeError && error.message.startsWith("allowPrivate:")) {
    return new UsageError(
      error.message.replace("allowPrivate", "--allow-private"),
      "Use a network such as 10.0.0.0/8, an address, or a host name.",
    );
  }
  if (error instanceof TypeError && error.message.startsWith("calls.")) {
    return new UsageError(
      `the limits of calls are wrong: ${error.message}.`,
      "Use whole numbers from 1 to 10000.",
    );
  }
  if (error instanceof TypeError && error.message.startsWith("trustedProxies:")) {
    return new UsageError(
      error.message.replace("trustedProxies", "--trust-proxy"),
      "Use an address, or a network such as 10.0.0.0/8.",
    );
  }
  if (error instanceof TypeError && error.message.startsWith("prices")) {
    return new UsageError(
      `--prices: ${error.message}.`,
      'Write it as {"currency": "USD", "models": {"MODEL": {"input": 2.5, "output": 10}}}, per million tokens.',
    );
  }
  return error;
}

function callLimits(values: CoordinatorValues): NonNullable<ServeOptions["calls"]> {
  const awaited = wholeNumber("--awaited-calls", values["awaited-calls"], 1);
  const unawaited = wholeNumber("--unawaited-calls", values["unawaited-calls"], 1);
  const perTarget = wholeNumber("--target-calls", values["target-calls"], 1);
  return {
    ...(awaited !== undefined && { awaited }),
    ...(unawaited !== undefined && { unawaited }),
    ...(perTarget !== undefined && { perTarget }),
  };
}

function readPricesFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`--prices: ${path} cannot be read: ${messageOf(error)}.`, "Name a JSON file.");
  }
}

function allowedVariables(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = process.env[name];
      if (value !== undefined) return [name, value];
      throw new UsageError(
        `--allow-variable: ${name} is not set.`,
        "Set it where the coordinator is started.",
      );
    }),
  );
}
