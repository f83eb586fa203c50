import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { isDaemonEnabled } from "@tenterhook/file-hooks/discover";
import { typedCommand } from "@tenterhook/internal";
import { findPathProblem, residentFolder } from "../resident/folder.ts";
import { findUser } from "./home-owner.ts";
import { type Installation, type Pins, pinsFor } from "./installation.ts";
import { PERL_OPTIONS, type ResidentFront } from "./resident-lines.ts";

/** How the script answers calls: by a resident process if there is one, or always by the cold bridge, and why. */
export type FoundFront =
  | { readonly type: "resident"; readonly front: ResidentFront }
  | { readonly type: "cold"; readonly why: string };

/** Decides whether the script that `install` writes asks a resident process. */
export async function findFront(
  { home, locations }: Installation,
  pins: Pins,
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): Promise<FoundFront> {
  const missing = findSystemProblem();
  if (missing !== undefined) return { type: "cold", why: missing };
  if (!(await isDaemonEnabled(locations.userHooks)))
    return { type: "cold", why: "the resident process is not turned on in hooks.toml" };
  const perl = ["/usr/bin", ...pins.path].map((place) => join(place, "perl")).find(isProgram);
  if (perl === undefined) return { type: "cold", why: "there is no perl in the PATH" };
  if (!canRunFront(perl)) return { type: "cold", why: `${perl} cannot run its front` };
  const folder = residentFolder({ version, ...pins }, env, findUser(home));
  const problem = findPathProblem(folder);
  return problem === undefined
    ? { type: "resident", front: { folder, perl } }
    : { type: "cold", why: problem };
}

/** Why a system can have no resident process; `undefined` if it can. */
export function findSystemProblem(platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform === "linux") return undefined;
  return "a resident process needs Linux, which shows the callers that are in a sandbox";
}

/** Why the installed script asks no resident process. */
export async function findColdReason(
  installation: Installation,
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): Promise<string> {
  const found = await findFront(installation, pinsFor(installation, "", env), env, version);
  return found.type === "cold" ? found.why : `run: ${typedCommand()} install`;
}

/** Whether a file can be started. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Some builds of Perl have no taint mode, and would run code that a variable names. */
function canRunFront(perl: string): boolean {
  const program = `exit(\${^TAINT} == 1 && -e "/proc/self/ns/mnt" ? 7 : 1)`;
  return spawnSync(perl, [...PERL_OPTIONS, "-e", program], { timeout: 10_000 }).status === 7;
}
