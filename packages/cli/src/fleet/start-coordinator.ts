import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import type { ServedCoordinator, ServeOptions } from "@tenterhook/coordinator";
import { messageOf } from "@tenterhook/internal";
import { option, type Values } from "../command.ts";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { dataFolder, makeDataFolder } from "./access.ts";

/** The default port of a coordinator. */
const DEFAULT_PORT = 4100;

/** The options of the commands that start a coordinator. */
export const COORDINATOR_OPTIONS = {
  port: option.number("N", `the port (default: ${DEFAULT_PORT}); 0 for any free port`, 0),
  data: option.text("D", "the data folder (default: ~/.local/share/tenterhook)"),
  "allow-host": option.list("NAME", "a host name that it accepts, in addition to localhost"),
  "trust-proxy": option.list("NET", "an address or network of proxies whose X-Forwarded-For counts"),
  "allow-variable": option.list("NAME", "an environment variable that headers of http hooks may use"),
  "allow-private": option.list(
    "NET",
    "a network, address or host that http hooks may call although it is not public",
  ),
  "awaited-calls": option.number(
    "N",
    "how many http hooks that runs wait for it calls at a time (default: 128)",
  ),
  "unawaited-calls": option.number("N", "how many other http hooks it calls at a time (default: 64)"),
  "target-calls": option.number(
    "N",
    "how many of each of them may be of one scheme, host and port (default: 16)",
  ),
  prices: option.text("FILE", "a JSON file with what models cost, to show the cost of runs"),
} as const;

export type CoordinatorValues = Omit<Values<typeof COORDINATOR_OPTIONS>, "json">;

/** Starts a coordinator in this process, over the data folder's own database or the server of DATABASE_URL. */
export async function startCoordinator(
  values: CoordinatorValues,
  more: Pick<ServeOptions, "host"> = {},
): Promise<ServedCoordinator> {
  const { port: listened = DEFAULT_PORT } = values;
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
  const { port = 0 } = values;
  return port === 0 || port === Number(new URL(url).port) ? others : ["--port", ...others];
}

/** The options that were given, in the form in which two starts are compared. The port is that of the address. */
function comparable(values: CoordinatorValues): Readonly<Record<string, unknown>> {
  const { port: _, data: __, prices, ...rest } = values;
  const names = Object.keys(COORDINATOR_OPTIONS) as (keyof CoordinatorValues)[];
  const given: Record<string, unknown> = {};
  for (const name of names) {
    const value = rest[name as keyof typeof rest];
    // Earlier versions have written numbers as text.
    if (typeof value === "number") given[name] = String(value);
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
  if (!(error instanceof TypeError)) return error;
  const refused = REFUSED.find(({ field }) => error.message.startsWith(field));
  return refused === undefined ? error : new UsageError(refused.say(error.message), refused.hint);
}

/** What the coordinator refuses of the options, by the field that its message begins with. */
const REFUSED = [
  {
    field: "allowPrivate:",
    say: (message: string) => message.replace("allowPrivate", "--allow-private"),
    hint: "Use a network such as 10.0.0.0/8, an address, or a host name.",
  },
  {
    field: "trustedProxies:",
    say: (message: string) => message.replace("trustedProxies", "--trust-proxy"),
    hint: "Use an address, or a network such as 10.0.0.0/8.",
  },
  {
    field: "calls.",
    say: (message: string) => `the limits of calls are wrong: ${message}.`,
    hint: "Use whole numbers from 1 to 10000.",
  },
  {
    field: "prices",
    say: (message: string) => `--prices: ${message}.`,
    hint: 'Write it as {"currency": "USD", "models": {"MODEL": {"input": 2.5, "output": 10}}}, per million tokens.',
  },
] as const;

function callLimits(values: CoordinatorValues): NonNullable<ServeOptions["calls"]> {
  const { "awaited-calls": awaited, "unawaited-calls": unawaited, "target-calls": perTarget } = values;
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

/** The name of the user of this system, as the coordinator accepts it; `undefined` when there is none. */
export async function systemUser(): Promise<string | undefined> {
  // Loaded here, so that --help does not load it.
  const { personName } = await import("@tenterhook/protocol/runs");
  return personName.safeParse(userName()).data;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A process in a container may have a user id without a name.
    return process.env.USER;
  }
}
