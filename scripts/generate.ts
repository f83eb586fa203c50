// Writes every file that is derived from others; with --check it only lists stale files. With --published or --clone the README gets the
// commands for users of the published packages, or for readers of a clone; without either it keeps those that it has.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiOperations } from "./generate/api-operations.ts";
import { apiPages } from "./generate/api-pages.ts";
import { codingAgents } from "./generate/coding-agents.ts";
import { eventSchemas } from "./generate/event-schemas.ts";
import { frameworkSupport } from "./generate/framework-support.ts";
import { frontPage } from "./generate/front-page.ts";
import { manifests } from "./generate/manifests.ts";
import { referencePages } from "./generate/reference-pages.ts";
import { rowTypes } from "./generate/row-types.ts";
import { wireShapes } from "./generate/wire-shapes.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const check = process.argv.includes("--check");
const variant = (["published", "clone"] as const).find((name) => process.argv.includes(`--${name}`));

const files: Record<string, string> = {
  ...frontPage(root, variant),
  ...wireShapes(),
  ...eventSchemas(),
  ...referencePages(),
  ...frameworkSupport(),
  ...rowTypes(root),
  ...(await apiOperations()),
  ...(await codingAgents(root)),
  ...manifests(root),
  ...apiPages(root),
};

const stale: string[] = [];
for (const [path, content] of Object.entries(files)) {
  const target = join(root, path);
  const current = await readFile(target, "utf8").catch(() => undefined);
  if (current === content) continue;
  stale.push(path);
  if (check) continue;
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}

const schemaFolder = "packages/protocol/json-schema";
const orphans = (await readdir(join(root, schemaFolder)))
  .map((name) => `${schemaFolder}/${name}`)
  .filter((path) => !(path in files));

if (check && stale.length + orphans.length > 0) {
  console.error(`Generated files are stale: ${[...stale, ...orphans].join(", ")}. Run \`npm run generate\`.`);
  process.exitCode = 1;
} else {
  const result = stale.length === 0 ? "all up to date" : `wrote ${stale.join(", ")}`;
  console.log(`${Object.keys(files).length} generated files: ${result}`);
}
