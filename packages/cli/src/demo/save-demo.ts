import { access, copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { UsageError } from "../usage-error.ts";
import { DEMO_HOOKS, demoAgents, demoHookAgents } from "./blueprints.ts";

/** Where the bundle has the demo's programs. */
const PROGRAMS = fileURLToPath(new URL("./demo/", import.meta.url));

/**
 * Saves the agents and hooks of the demo that are not there yet. Their programs are put into the data folder, where they can be read
 * and changed, and where a later version of this command still finds them.
 */
export async function saveDemo(client: CoordinatorClient, data: string): Promise<void> {
  const folder = join(data, "demo");
  await copyAbsent(PROGRAMS, folder);
  // Those that serve before those that need them.
  for (const agent of demoHookAgents(folder)) await saveAbsent(client, `/agents/${agent.name}`, agent);
  for (const [name, hook] of Object.entries(DEMO_HOOKS)) await saveAbsent(client, `/hooks/${name}`, hook);
  for (const agent of demoAgents(folder)) await saveAbsent(client, `/agents/${agent.name}`, agent);
}

async function saveAbsent(client: CoordinatorClient, path: string, body: object): Promise<void> {
  try {
    await client.send("PUT", path, { body, headers: { "if-none-match": "*" } });
  } catch (error) {
    const isThere = error instanceof UsageError && error.details.code === "precondition_failed";
    if (!isThere) throw error;
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
