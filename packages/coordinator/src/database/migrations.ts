import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Migration {
  /** Counts from 0. */
  readonly number: number;
  readonly name: string;
  readonly statements: readonly string[];
  /** Of the text, so that a migration which was edited after its release is noticed. */
  readonly hash: string;
}

export const MIGRATIONS_FOLDER = fileURLToPath(new URL("../../migrations/", import.meta.url));

/** The migrations that `drizzle-kit generate` has written, in order. */
export function readMigrations(folder = MIGRATIONS_FOLDER): Migration[] {
  const journal: { entries: { idx: number; tag: string }[] } = JSON.parse(
    readFileSync(`${folder}/meta/_journal.json`, "utf8"),
  );
  return journal.entries.map(({ idx, tag }) => {
    // A checkout on Windows may have changed the line ends; the hash must not.
    const text = readFileSync(`${folder}/${tag}.sql`, "utf8").replaceAll("\r\n", "\n");
    return {
      number: idx,
      name: tag,
      statements: text.split("--> statement-breakpoint"),
      hash: createHash("sha256").update(text).digest("hex"),
    };
  });
}
