import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { systemCode } from "@tenterhook/internal";
import { replacePlainFile } from "@tenterhook/internal/files";
import type { Database } from "../database/database.ts";
import { createToken, findToken, type Maker, renameToken } from "./tokens.ts";

/**
 * The admin token of a data folder: made at the first start, and again when it has been revoked. Only the folder's owner
 * can read it, so that the owner's commands are an administrator's. It has no maker: tokens that commands on this
 * machine make, and the links that the coordinator prints, descend from it and end when it is revoked. It has the name of
 * the user who started the coordinator last, if that is known.
 */
export async function localToken(
  database: Database,
  folder: string,
  user?: string,
): Promise<{ readonly secret: string; readonly maker: Maker & { readonly name: string } }> {
  const stored = await read(join(folder, "token"));
  const known = stored === undefined ? undefined : await findToken(database, stored);
  if (stored !== undefined && known?.kind === "token" && known.scope === "admin") {
    const name = user ?? known.name;
    if (name !== known.name) await renameToken(database, known.id, name);
    return { secret: stored, maker: { ...known, name } };
  }
  const { secret, row } = await createToken(database, {
    kind: "token",
    name: user ?? `local commands on ${hostname()}`,
    scope: "admin",
    maker: null,
  });
  replacePlainFile(join(folder, "token"), `${secret}\n`);
  return { secret, maker: row };
}

/** Writes the URL of the coordinator for local commands. Returns the function that removes it. */
export async function announceAddress(folder: string, url: string): Promise<() => Promise<void>> {
  const file = join(folder, "address");
  replacePlainFile(file, `${url}\n`);
  return async () => {
    // Another coordinator may have taken the folder over meanwhile.
    if ((await read(file)) === url) await rm(file, { force: true });
  };
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim() || undefined;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
