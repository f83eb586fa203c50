import { access, copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { UsageError } from "../usage-error.ts";
import { DEMO_HOOKS, demoAgents, demoHookAgents } from "./blueprints.ts";

/** The demo programs in the bundle. */
const PROGRAMS = fileURLToPath(new URL("./demo/", import.meta.url));

/**
 * Saves the agents and hooks of the demo that do not exist yet. Their programs are copied to the data folder, where users can
 * read and change them, and where they stay after an update of this package.
 */
export async function saveDemo(client: CoordinatorClient, data: string): Promise<void> {
  const folder = join(data, "demo");
  await copyAbsent(PROGRAMS, folder);
  // Agents that run hooks before the agents that need them.
  for (const agent of demoHookAgents(folder)) await saveAbsent(client, `/agents/${agent.name}`, agent);
  for (const [name, hook] of Object.entries(DEMO_HOOKS)) await saveAbsent(client, `/hooks/${name}`, hook);
  for (const agent of demoAgents(folder)) await saveAbsent(client, `/agents/${agent.name}`, agent);
}

async function saveAbsent(client: CoordinatorClient, path: string, body: object): Promise<void> {
  try {
    await client.send("PUT", path, { body, headers: { "if-none-match": "*" } });
  } catch (error) {
    const exists = error instanceof UsageError && error.details.code === "precondition_failed";
    if (!exists) throw error;
  }
}

async function copyAbsent(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) {
    const exists = await access(join(to, name)).then(
      () => true,
      () => false,
    );
    if (!exists) await copyFile(join(from, name), join(to, name));
  }
}
