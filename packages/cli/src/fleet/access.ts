import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "@tenterhook/protocol";
import { shownPath } from "../shown-hook.ts";
import { UsageError } from "../usage-error.ts";
import { dataFolder } from "./data-folder.ts";

/** The options of every verb that talks to a coordinator. */
export const ACCESS_OPTIONS = {
  url: { type: "string", value: "URL", about: "where the coordinator is (default: the one on this machine)" },
  token: {
    type: "string",
    value: "T",
    about: "what lets you in (default: $TENTERHOOK_TOKEN, or the data folder's token)",
  },
  data: { type: "string", value: "D", about: "the data folder of a coordinator on this machine" },
} as const;

export interface AccessValues {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly data: string | undefined;
}

/** Where a coordinator is, and what lets one in. */
export interface Access {
  readonly url: string;
  readonly token: string;
}

/**
 * Finds a coordinator. What the options leave open comes from what a coordinator on this machine left in its data folder;
 * that folder's token is an administrator's, and is never sent to another machine. Throws a `UsageError` when something is
 * missing.
 */
export function findAccess({ url, token, data }: AccessValues, env = process.env): Access {
  const folder = dataFolder(data, env);
  const address = url === undefined ? readIfThere(join(folder, "address")) : checkedUrl(url);
  if (address === undefined) {
    throw new UsageError(
      `no coordinator is running in ${shownPath(folder)}.`,
      "Start one with: tenterhook up. Or say where it is with --url, or --data for another data folder.",
    );
  }
  const secret =
    token ??
    (env.TENTERHOOK_TOKEN || undefined) ??
    (isLocal(address) ? readIfThere(join(folder, "token")) : undefined);
  if (secret !== undefined) return { url: address, token: secret };
  throw new UsageError(
    `there is no token for ${address}.`,
    "Give --token, or set TENTERHOOK_TOKEN. Whoever runs the coordinator makes one with: tenterhook token create",
  );
}

function checkedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, "");
  throw new UsageError(`"${url}" is no address.`, "Write it as http://127.0.0.1:4100.");
}

function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw new UsageError(`${shownPath(file)} cannot be read: ${messageOf(error)}`);
  }
}
