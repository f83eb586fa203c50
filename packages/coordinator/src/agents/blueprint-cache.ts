import { BoundedMap } from "@tenterhook/internal";
import type { Blueprint } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { pinnedBlueprint } from "./blueprint-rows.ts";

/** Blueprints by revision. A revision never changes, so an entry is never outdated. */
export class BlueprintCache {
  readonly #database: Database;
  readonly #blueprints = new BoundedMap<string, Blueprint>(1_000);

  constructor(database: Database) {
    this.#database = database;
  }

  async get(name: string, revision: number): Promise<Blueprint> {
    const key = `${name}@${revision}`;
    const known = this.#blueprints.get(key);
    if (known !== undefined) return known;
    const read = await pinnedBlueprint(this.#database, name, revision);
    this.#blueprints.set(key, read);
    return read;
  }
}
