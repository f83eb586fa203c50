import type { Database } from "../database/database.ts";
import type { AgentRow } from "../store/rows.ts";
import { readAgent } from "./blueprint-rows.ts";

const MAX_AGENTS = 1_000;

/**
 * Agents as they were last read. The store refuses a run of an outdated revision, and the agent is then read again: so a hit
 * needs no statement, and an outdated one does no harm.
 */
export class AgentCache {
  readonly #database: Database;
  readonly #agents = new Map<string, AgentRow>();

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
    if (this.#agents.size >= MAX_AGENTS) this.#agents.clear();
    this.#agents.set(name, agent);
    return agent;
  }
}
