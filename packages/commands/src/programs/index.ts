import { ARCHIVES } from "./archives.ts";
import { CLOUDS } from "./clouds.ts";
import { CONTAINERS } from "./containers.ts";
import { DATABASES } from "./databases.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { NETWORK } from "./network.ts";
import { PACKAGES } from "./packages.ts";
import type { Programs, Row } from "./row.ts";
import { findRow } from "./run-row.ts";
import { STARTERS } from "./starters.ts";
import { STORES } from "./stores.ts";
import { SYSTEM } from "./system.ts";
import { TEXT } from "./text.ts";
import { TRANSFERS } from "./transfers.ts";

/** The tables, a family in each file. A name is in one of them only. */
export const PROGRAMS: Programs = {
  ...FILES,
  ...TEXT,
  ...STARTERS,
  ...INTERPRETERS,
  ...GIT,
  ...ARCHIVES,
  ...TRANSFERS,
  ...NETWORK,
  ...SYSTEM,
  ...PACKAGES,
  ...CONTAINERS,
  ...CLOUDS,
  ...DATABASES,
  ...STORES,
};

/** The row of a program by its name, however it is spelt: `python3.12`, `rm.exe`, `mkfs.ext4`. */
export function findProgram(name: string): Row | undefined {
  const plain = name.replace(/\.exe$/i, "");
  return (
    findRow(PROGRAMS, plain) ??
    findRow(PROGRAMS, plain.replace(/-?[\d.]+$/, "")) ??
    findRow(PROGRAMS, plain.replace(/\..*$/, ""))
  );
}
