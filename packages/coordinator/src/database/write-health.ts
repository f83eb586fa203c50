import type { Reply } from "./decode.ts";
import { isDiskFull } from "./sql-error.ts";

/**
 * Remembers that the disk of the database was full, until there is room again. A later write that succeeds does not prove that: a
 * small one fits into space that the tables have already.
 */
export class WriteHealth {
  readonly #hasRoom: () => Promise<boolean>;
  #trouble: Error | undefined;

  /** `hasRoom` tries to write much more than a statement needs; it is called only after a failure. */
  constructor(hasRoom: () => Promise<boolean>) {
    this.#hasRoom = hasRoom;
  }

  /** Why the database cannot write at present. */
  async trouble(): Promise<Error | undefined> {
    if (this.#trouble !== undefined && (await this.#hasRoom())) this.#trouble = undefined;
    return this.#trouble;
  }

  /** Records whether a statement failed because the disk is full. */
  async watch(statement: Promise<Reply>): Promise<Reply> {
    try {
      return await statement;
    } catch (error) {
      if (isDiskFull(error)) this.#trouble = error;
      throw error;
    }
  }
}
