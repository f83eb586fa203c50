import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRequestError } from "@tenterhook/client";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import type { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { DEMO_HOOKS, demoAgents, demoHookAgents } from "./blueprints.ts";

/** The demo programs in the bundle. */
const PROGRAMS = fileURLToPath(new URL("./demo/", import.meta.url));

/**
 * Saves the agents and hooks of the demo that do not exist yet. Their programs are copied to the data folder, where users can
 * read and change them, and where they stay after an update of this package.
 */
export async function saveDemo(client: CoordinatorClient, data: string): Promise<void> {
  const folder = join(data, "demo");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(PROGRAMS, folder, { recursive: true, force: false });
  // Agents that run hooks before the agents that need them.
  const options = { headers: { "if-none-match": "*" } };
  const saveAgent = (agent: BlueprintInput) => ifAbsent(client.agents.save(agent.name, agent, options));
  for (const agent of demoHookAgents(folder)) await saveAgent(agent);
  for (const [name, hook] of Object.entries(DEMO_HOOKS))
    await ifAbsent(client.hooks.save(name, hook, options));
  for (const agent of demoAgents(folder)) await saveAgent(agent);
}

/** Something that exists already is not saved. */
async function ifAbsent(saving: Promise<unknown>): Promise<void> {
  try {
    await saving;
  } catch (error) {
    if (!isRequestError(error) || error.code !== "precondition_failed") throw error;
  }
}
