import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The package whose imports have to find the other version, so it is a copy and not a link. */
const ADAPTERS = "@tenterhook/adapters";

/**
 * A new folder whose `node_modules` are those of another one, but for the version of one package: its manifest has the given one. The
 * caller removes it.
 */
export function installVersion(modules: string, packageName: string, version: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-version-"));
  for (const name of listPackages(modules)) {
    const source = join(modules, name);
    const target = join(folder, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    if (name === ADAPTERS) copyPackage(source, target);
    else if (name === packageName) linkPackage(source, target, version);
    else symlinkSync(source, target);
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return folder;
}

function listPackages(modules: string): readonly string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
    );
}

function copyPackage(source: string, target: string): void {
  mkdirSync(target);
  for (const part of ["package.json", "dist"])
    cpSync(join(source, part), join(target, part), { recursive: true });
}

/** The package's own files, under another manifest. */
function linkPackage(source: string, target: string, version: string): void {
  mkdirSync(target);
  for (const part of readdirSync(source))
    if (part !== "package.json") symlinkSync(join(source, part), join(target, part));
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as object;
  writeFileSync(join(target, "package.json"), JSON.stringify({ ...manifest, version }));
}
