import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isFolder } from "@tenterhook/internal/files";
import type { Client } from "../definition/client.ts";
import { clientFolder, type FileLocation } from "./client-files.ts";

/** A client on this machine. */
export interface FoundClient {
  readonly client: Client;
  /** Its program, if it is on the PATH. */
  readonly program?: string;
  readonly version?: string;
  /** Its own folder in the home exists. */
  readonly isConfigured: boolean;
}

/** How long a client may take to print its version. */
const VERSION_TIMEOUT_MS = 10_000;

/** Looks for clients: their programs on the PATH, outside the project, and their folders in the home. */
export async function findClients(
  clients: readonly Client[],
  at: FileLocation,
): Promise<readonly FoundClient[]> {
  return Promise.all(
    clients.map(async (client) => {
      const program = findProgram(client.program.command, at);
      const version = program === undefined ? undefined : await findVersion(program, client, at);
      const folder = clientFolder(client, at);
      return {
        client,
        ...(program !== undefined && { program }),
        ...(version !== undefined && { version }),
        isConfigured: folder !== undefined && isFolder(folder),
      };
    }),
  );
}

/** The path of a client's program. One of the project could be anything, so it does not count. */
export function findProgram(command: string, { project, env }: FileLocation): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !`${folder}/`.startsWith(`${project}/`))
    .flatMap((folder) => endings.map((ending) => join(folder, command + ending)))
    .find((path) => isProgram(path, project));
}

function isProgram(path: string, project: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() && !realpathSync(path).startsWith(`${project}/`);
  } catch {
    return false;
  }
}

function findVersion(
  program: string,
  { program: { versionArguments } }: Client,
  { env }: FileLocation,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: VERSION_TIMEOUT_MS, env: { ...env } as NodeJS.ProcessEnv, windowsHide: true };
    const child = execFile(program, [...versionArguments], options, (_, stdout, stderr) => {
      resolve(/\d+\.\d+\.\d+(?:[-+][\w.-]+)?/.exec(`${stdout}\n${stderr}`)?.[0]);
    });
    child.stdin?.end();
  });
}
