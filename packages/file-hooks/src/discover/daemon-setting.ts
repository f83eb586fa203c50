import { join } from "node:path";
import { readSmallText } from "@tenterhook/internal/files";
import { TOML } from "./overrides.ts";

/** Whether a resident process may answer calls: true if the user's hooks.toml has `enabled = true` under `[daemon]`. A project's does not count. */
export async function isDaemonEnabled(userHooks: string): Promise<boolean> {
  const file = join(userHooks, TOML);
  const read = readSmallText(file);
  if (read === undefined || !("text" in read) || !read.text.includes("daemon")) return false;
  const { parseOverrides } = await import("./overrides-toml.ts");
  return parseOverrides(file, read.text, "user").isDaemonEnabled === true;
}
