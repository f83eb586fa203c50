import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { addressFields, readAddress } from "../release/address.ts";

/** Every package.json, with the fields that follow from the repository's address. */
export function manifests(root: string): Record<string, string> {
  const address = readAddress(root);
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
  const folders = [undefined, ...packages, "examples", "bench"];
  return Object.fromEntries(
    folders.flatMap((folder) => {
      const path = folder === undefined ? "package.json" : `${folder}/package.json`;
      if (!existsSync(join(root, path))) return [];
      const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(root, path), "utf8"));
      return [[path, `${JSON.stringify(withFields(manifest, addressFields(address, folder)), null, 2)}\n`]];
    }),
  );
}

/** Behind the license, as npm's documentation orders them; other fields keep their order. */
function withFields(manifest: Record<string, unknown>, fields: object): Record<string, unknown> {
  const others = Object.entries(manifest).filter(([name]) => !(name in fields));
  const license = others.findIndex(([name]) => name === "license");
  return Object.fromEntries(others.toSpliced(license + 1, 0, ...Object.entries(fields)));
}
