import { resolve } from "node:path";
import { checkAddress } from "@tenterhook/client";
import { typedCommand } from "@tenterhook/internal";
import { accessFrom } from "@tenterhook/runner/access";
import { dataFolder as usersFolder } from "@tenterhook/runner/data-folder";
import { option } from "../command.ts";
import { formatPath } from "../format-hook.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder } from "../writable-folder.ts";

/** The options of all commands that connect to a coordinator. */
export const ACCESS_OPTIONS = {
  url: option.text("URL", "the coordinator's URL (default: the one on this machine)"),
  token: option.text("T", "the access token (default: $TENTERHOOK_TOKEN, or the data folder's token)"),
  data: option.text("D", "the data folder of a coordinator on this machine"),
} as const;

export interface AccessValues {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly data: string | undefined;
}

/** The code of the error when there is no coordinator to connect to. */
export const NO_COORDINATOR = "no_coordinator";

/** The URL and the access token of a coordinator. */
export interface Access {
  readonly url: string;
  readonly token: string;
}

/**
 * Finds a coordinator by the options, the environment and the data folder. Throws a `UsageError` if URL or token is missing.
 */
export function findAccess(values: AccessValues, env = process.env): Access {
  const folder = dataFolder(values.data, env);
  const given = values.url === undefined ? undefined : checkedUrl(values.url);
  const { url, token } = accessFrom({ url: given, token: values.token, folder }, env);
  if (url === undefined) {
    throw new UsageError(
      `no coordinator is running in ${formatPath(folder)}.`,
      `Start one with: ${typedCommand()} up. Or use --url, or --data for another data folder.`,
      { code: NO_COORDINATOR },
    );
  }
  if (token !== undefined) return { url, token };
  throw new UsageError(
    `no token for ${url}.`,
    `Use --token, or set TENTERHOOK_TOKEN. An administrator creates one with: ${typedCommand()} tokens create`,
  );
}

function checkedUrl(url: string): string {
  checkAddress(url);
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, "");
  throw new UsageError(`"${url}" is not a valid URL.`, "Use an address such as http://127.0.0.1:4100.");
}

/** Creates a data folder. Throws a `UsageError` when it cannot be written to. */
export function makeDataFolder(folder: string, what = "the data folder"): void {
  makeWritableFolder(folder, {
    what,
    remedy: "Choose another with --data, or set HOME or XDG_DATA_HOME to a writable folder.",
  });
}

/** The data folder of a coordinator on this machine: of the option, or the user's, which runners use too. */
export function dataFolder(
  option?: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return option === undefined ? usersFolder(env) : resolve(option);
}
