import { BoundedMap } from "@tenterhook/internal";
import type { Database } from "../database/database.ts";
import type { AgentRow } from "../store/rows.ts";
import { readAgent } from "./blueprint-rows.ts";

/**
 * Agents as they were last read. The store refuses a run of an outdated revision, and the agent is then read again: so a hit
 * needs no statement, and an outdated one does no harm.
 */
export class AgentCache {
  readonly #database: Database;
  readonly #agents = new BoundedMap<string, AgentRow>(1_000);

  constructor(database: Database) {
    this.#database = database;
  }

  async get(name: string): Promise<AgentRow | undefined> {
    return this.#agents.get(name) ?? this.refresh(name);
  }

  /** Reads an agent anew. */
  async refresh(name: string): Promise<AgentRow | undefined> {
    this.#agents.delete(name);
    const agent = await readAgent(this.#database, name);
    if (agent === undefined) return undefined;
    this.#agents.set(name, agent);
    return agent;
  }
}
