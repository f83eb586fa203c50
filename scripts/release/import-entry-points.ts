import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inParallel } from "./in-parallel.ts";
import type { Manifest } from "./manifests.ts";

/**
 * Imports every entry point that the installed packages declare, each in a process of its own. Throws for the first that fails. An entry
 * point for a framework may fail because the framework is not installed: then the error names that optional peer.
 */
export async function importEntryPoints(project: string, manifests: readonly Manifest[]): Promise<void> {
  const entries = manifests.flatMap((manifest) =>
    Object.keys(manifest.exports ?? {})
      .flatMap((entry) => namesOf(project, manifest.name, entry))
      .map((name) => ({ name, manifest })),
  );
  await inParallel(entries, async ({ name, manifest }) => {
    const attributes = name.endsWith(".json") ? ', { with: { type: "json" } }' : "";
    const program = `await import(${JSON.stringify(name)}${attributes})`;
    const args = ["--no-warnings", "--input-type=module", "-e", program];
    try {
      await promisify(execFile)(process.execPath, args, { cwd: project });
    } catch (error) {
      if (!namesMissingPeer(error, manifest)) throw error;
    }
  });
}

function namesMissingPeer(error: unknown, { peerDependencies = {} }: Manifest): boolean {
  const { stderr = "" } = error as { readonly stderr?: string };
  const [, missing] = /Cannot find package '([^']+)'/.exec(stderr) ?? [];
  return missing !== undefined && Object.hasOwn(peerDependencies, missing);
}

/** An entry with a `*` stands for the files of a folder: one of them is imported. */
function namesOf(project: string, name: string, entry: string): readonly string[] {
  const path = `${name}${entry.slice(1)}`;
  if (!entry.includes("*")) return [path];
  const [folder = "", ending = ""] = entry.slice(2).split("*");
  const first = readdirSync(join(project, "node_modules", name, folder)).find((file) =>
    file.endsWith(ending),
  );
  return first === undefined ? [] : [`${name}/${folder}${first}`];
}
