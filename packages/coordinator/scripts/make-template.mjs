// Packs a new database with all tables into template/, from which an embedded coordinator starts at once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolder } from "../dist/database/embedded/create-folder.js";
import { writeTemplate } from "../dist/database/embedded/template.js";
import { openDatabase } from "../dist/database/open-database.js";

const folder = await mkdtemp(join(tmpdir(), "tenterhook-template-"));
try {
  await createFolder(join(folder, "database"), async () => undefined);
  const database = await openDatabase({ folder });
  await database.close();
  await writeTemplate(join(folder, "database"));
} finally {
  await rm(folder, { recursive: true, force: true });
}
