import { basename, dirname, isAbsolute, join } from "node:path";
import type { HookFile } from "@tenterhook/protocol";

/** The interpreter that a hook names under `metadata.interpreter`: absolute, or in the project that the hook belongs to. */
export function namedInterpreter(
  { metadata }: Pick<HookFile, "metadata">,
  folder: string,
): string | undefined {
  const { interpreter } = metadata as { interpreter?: unknown };
  if (typeof interpreter !== "string") return undefined;
  return isAbsolute(interpreter) ? interpreter : join(projectOfHook(folder) ?? folder, interpreter);
}

/** The project of a hook's folder, `<project>/.agents/hooks/<name>`; absent for other folders. */
export function projectOfHook(folder: string): string | undefined {
  const hooks = dirname(folder);
  const agents = dirname(hooks);
  return basename(hooks) === "hooks" && basename(agents) === ".agents" ? dirname(agents) : undefined;
}
