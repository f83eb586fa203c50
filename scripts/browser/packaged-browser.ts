import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Unpacks the browser of the npm package once per checkout, and returns its path. The package itself uses one folder for the whole
 * machine, where the browser may be of another version, of another user, or incomplete.
 */
export async function unpackBrowser(): Promise<string> {
  const unpacked = unpackedFolder();
  if (existsSync(join(unpacked, "chromium"))) return join(unpacked, "chromium");
  const { default: packed } = await import("@sparticuz/chromium");
  await mkdir(dirname(unpacked), { recursive: true });
  const folder = await mkdtemp(`${unpacked}-`);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    await packed.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  // Another process may have unpacked the same files; either copy will do.
  await rename(folder, unpacked).catch(() => rm(folder, { recursive: true, force: true }));
  return join(unpacked, "chromium");
}

function unpackedFolder(): string {
  // The package exports no manifest: it is beside the folder of its code.
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const [modules = ""] = entry.split(join("@sparticuz", "chromium"));
  const manifest = readFileSync(join(modules, "@sparticuz", "chromium", "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return join(modules, ".cache", `chromium-${version}`);
}
