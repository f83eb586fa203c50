import { forgetKnownGuard } from "@tenterhook/bridges/install";
import type { FileHooks } from "@tenterhook/file-hooks";
import { formatPath } from "../format-hook.ts";
import { UsageError } from "../usage-error.ts";
import type { NamedHook } from "./named-hook.ts";

/** Confirms that a hook no longer guards: coding agents are not refused for it any more. */
export async function forgetGuard(hook: NamedHook, { trust, locations }: FileHooks): Promise<void> {
  if (hook.scope === "project") {
    trust.revoke(hook.folder);
    return;
  }
  if (await forgetKnownGuard(locations.state, locations.userHooks, hook.name)) return;
  throw new UsageError(
    `the list of known guards in ${formatPath(locations.state)} could not be written, so ${hook.name} is not forgotten.`,
    "Make the folder writable, with space on its disk, then run this again.",
  );
}
