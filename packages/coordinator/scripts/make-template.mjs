// Packs a new database with all tables into template/, from which an embedded coordinator starts at once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../dist/database/database.js";
import { writeTemplate } from "../dist/database/embedded/template.js";

// Without a template the database is made from nothing, as it should be for a template.
await rm(new URL("../template/", import.meta.url), { recursive: true, force: true });
const folder = await mkdtemp(join(tmpdir(), "tenterhook-template-"));
try {
  const database = await openDatabase({ folder });
  await database.close();
  await writeTemplate(join(folder, "database"));
} finally {
  await rm(folder, { recursive: true, force: true });
}
