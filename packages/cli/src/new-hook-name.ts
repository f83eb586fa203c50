import {
  isHookNameTooLong,
  isPlainHookName,
  LONGEST_HOOK_NAME,
  normalName,
} from "@tenterhook/protocol/internal";
import { UsageError } from "./usage-error.ts";

/** The normal form of a name for a hook. Throws a `UsageError` for what `check` would warn about, or a folder cannot be called. */
export function newHookName(typed: string): string {
  const name = normalName(typed);
  if (isPlainHookName(name) && !name.startsWith("-") && !isHookNameTooLong(name)) return name;
  throw new UsageError(
    `"${typed}" is not a valid hook name.`,
    `Use 1 to ${LONGEST_HOOK_NAME} lowercase letters (of any script), digits and hyphens; the first is not a hyphen.`,
  );
}
