import { access, copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { UsageError } from "../usage-error.ts";
import { demoBlueprints } from "./blueprints.ts";

/** Where the bundle has the demo's programs. */
const PROGRAMS = fileURLToPath(new URL("./demo/", import.meta.url));

/**
 * Saves the agents of the demo that are not there yet. Their programs are put into the data folder, where they can be read
 * and changed, and where a later version of this command still finds them.
 */
export async function saveDemo(client: CoordinatorClient, data: string): Promise<void> {
  const folder = join(data, "demo");
  await copyAbsent(PROGRAMS, folder);
  for (const blueprint of demoBlueprints(folder)) {
    try {
      await client.ask("PUT", `/agents/${blueprint.name}`, {
        body: blueprint,
        headers: { "if-none-match": "*" },
      });
    } catch (error) {
      const isThere = error instanceof UsageError && error.details.code === "precondition_failed";
      if (!isThere) throw error;
    }
  }
}

async function copyAbsent(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) {
    const isThere = await access(join(to, name)).then(
      () => true,
      () => false,
    );
    if (!isThere) await copyFile(join(from, name), join(to, name));
  }
}
