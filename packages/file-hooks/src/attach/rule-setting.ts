import { join } from "node:path";
import type { MatchedEffect } from "@tenterhook/engine/internal";
import { eventRow, type HookFile } from "@tenterhook/protocol";
import { checkEffectMatcher } from "@tenterhook/protocol/internal";
import { TOML } from "../discover/overrides.ts";

/**
 * What a person can write so that a rule lets pass, or asks about, what it has just refused, as a sentence. It is for the person only: a model
 * would try to write it. `undefined` where no setting of the rule does that.
 */
export function ruleSetting(
  { name, action, events }: HookFile,
  { effect, target, isUnreadable }: MatchedEffect,
  userHooks: string,
): string | undefined {
  if (isUnreadable) return undefined;
  const table = `[hooks.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}] in ${join(userHooks, TOML)}`;
  const aimed = target ?? effect.targets[0];
  const paths =
    aimed?.type === "path" && aimed.known === "known" ? [...new Set([aimed.path, aimed.resolved])] : [];
  if (paths.length > 0 && paths.every(isSetting))
    return `to let ${name} pass this path from now on, write not_path = ${JSON.stringify(paths)} under ${table}`;
  const canAsk = events.every((event) => eventRow(event).outcomes.includes("ask"));
  if (action?.type !== "block" || !canAsk) return undefined;
  return `to be asked by ${name} from now on, write action = "ask" under ${table}`;
}

/** `/`, a folder in it, or a home: `not_path` is not offered for what has so much below it. */
const TOO_MUCH = /^\/[^/]*$|^\/(?:home|Users)\/[^/]*$/;

/** Whether a path means just itself in a `hooks.toml`, and shows itself as it is. */
function isSetting(path: string): boolean {
  if (TOO_MUCH.test(path)) return false;
  if (/[*?\p{Cc}\p{Cf}\u2028\u2029]/u.test(path)) return false;
  try {
    checkEffectMatcher({ effect: "read", notPath: path });
    return true;
  } catch {
    return false;
  }
}
