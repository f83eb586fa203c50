import { join } from "node:path";
import { readSmallText } from "@tenterhook/internal/files";
import { TOML } from "./overrides.ts";

/**
 * Whether a resident process may answer calls: true unless the user's hooks.toml has `enabled = false` under `[daemon]`. A project's does
 * not count. A file that mentions it and has a mistake, or that cannot be read, may mean that it is to be off, so it is.
 */
export async function isDaemonEnabled(userHooks: string): Promise<boolean> {
  const file = join(userHooks, TOML);
  const read = readSmallText(file);
  if (read === undefined) return true;
  if (!("text" in read)) return false;
  if (!read.text.includes("daemon")) return true;
  const { parseOverrides } = await import("./overrides-toml.ts");
  const { isDaemonEnabled: isEnabled, findings } = parseOverrides(file, read.text, "user");
  return isEnabled ?? findings.length === 0;
}
