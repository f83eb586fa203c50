import { join } from "node:path";
import { readSmallText } from "@tenterhook/internal/files";
import { TOML } from "./read-overrides.ts";

/**
 * Whether a resident process that runs may answer calls: true unless the user's hooks.toml has `enabled = false` under `[daemon]`. A
 * project's does not count. A file that cannot be read has no effect.
 */
export async function isDaemonEnabled(userHooks: string): Promise<boolean> {
  return (await readSetting(userHooks)) ?? true;
}

/** Whether the user wants one: only with `enabled = true`. */
export async function isDaemonWanted(userHooks: string): Promise<boolean> {
  return (await readSetting(userHooks)) ?? false;
}

async function readSetting(userHooks: string): Promise<boolean | undefined> {
  const file = join(userHooks, TOML);
  const read = readSmallText(file);
  if (read === undefined || !("text" in read) || !read.text.includes("daemon")) return undefined;
  const { parseOverrides } = await import("./overrides-toml.ts");
  return parseOverrides(file, read.text, "user").isDaemonEnabled;
}
