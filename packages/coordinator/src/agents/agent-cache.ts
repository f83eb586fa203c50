import type { Database } from "../database/database.ts";
import type { AgentRow } from "../store/rows.ts";
import { readAgent } from "./blueprint-rows.ts";

const MOST_AGENTS = 1_000;

/**
 * Agents as they were last read. What is created by one is refused by the store when there is a newer revision, and then
 * it is read again: so a hit needs no look at the database, and an old one does no harm.
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
    if (this.#agents.size >= MOST_AGENTS) this.#agents.clear();
    this.#agents.set(name, agent);
    return agent;
  }
}
