// Imports every entry point that the public packages declare. Prints each that fails, and ends with 1 if any does.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../node-sandbox.ts";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

let count = 0;
for (const folder of readdirSync(join(ROOT, "packages"))) {
  const path = join(ROOT, "packages", folder);
  const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
  if (manifest.private === true) continue;
  for (const name of Object.keys(manifest.exports ?? {}).flatMap((entry) => expand(path, entry))) {
    count += 1;
    await importOne(`${manifest.name}${name.slice(1)}`);
  }
}
if (count === 0) throw new Error("No package declares an entry point.");
console.log(`${count} entry points`);

async function importOne(name: string): Promise<void> {
  try {
    if (name.endsWith(".json")) await import(name, { with: { type: "json" } });
    else await import(name);
  } catch (error) {
    console.error(`${name}:`, error);
    process.exitCode = 1;
  }
}

/** An entry with a `*` stands for the files of a folder. */
function expand(folder: string, entry: string): readonly string[] {
  if (!entry.includes("*")) return [entry];
  const [before = "", ending = ""] = entry.split("*");
  return readdirSync(join(folder, before))
    .filter((file) => file.endsWith(ending))
    .map((file) => `${before}${file}`);
}
