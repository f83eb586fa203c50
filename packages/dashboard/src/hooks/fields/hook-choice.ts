import { isRecord } from "@tenterhook/internal";
import { type Draft, withField } from "../../editing/draft.ts";
import { type JsonObject, valueAt } from "../../editing/json-object.ts";

/** Whether there is a hook of a type, and whether it is inline or a reference to a named hook. */
export type HookChoice = "none" | "inline" | "named";
export type HookTarget = "agent" | "http";

/** Fields that hooks of both targets have, and the name, which the draft of a new named hook has. */
const SHARED = ["name", "on_error", "timeout_seconds", "mode", "enforce"];

export function hookChoice(hook: unknown): HookChoice {
  if (!isRecord(hook)) return "none";
  return "$ref" in hook ? "named" : "inline";
}

/** Changes the choice; the previous hook is kept in `replaced` and restored with its choice. */
export function withHookChoice(draft: Draft, path: string, choice: HookChoice): Draft {
  const hook = valueAt(draft.value, path);
  const before = hookChoice(hook);
  if (before === choice) return draft;
  const replaced = before === "none" ? draft.replaced : { ...draft.replaced, [`${path}:${before}`]: hook };
  return withField({ ...draft, replaced }, path, draft.replaced[`${path}:${choice}`] ?? FRESH[choice]);
}

/** The initial definition of a hook. on_error has no default: the author of the hook must choose it. */
export const FRESH_HOOK: JsonObject = { type: "agent" };

const FRESH: Readonly<Record<HookChoice, JsonObject | undefined>> = {
  none: undefined,
  inline: FRESH_HOOK,
  named: { $ref: "" },
};

/** Changes the target of the hook. Shared fields stay; the others are kept in `replaced` and restored with their target. */
export function withHookTarget(draft: Draft, path: string, target: HookTarget): Draft {
  const given = valueAt(draft.value, path);
  const hook = isRecord(given) ? given : {};
  if (hook.type === target) return draft;
  const entries = Object.entries(hook);
  const shared = Object.fromEntries(entries.filter(([field]) => SHARED.includes(field)));
  const own = Object.fromEntries(entries.filter(([field]) => !SHARED.includes(field) && field !== "type"));
  const replaced = { ...draft.replaced, [`${path}:${String(hook.type)}`]: own };
  const back = (draft.replaced[`${path}:${target}`] ?? {}) as JsonObject;
  return withField({ ...draft, replaced }, path, { type: target, ...back, ...shared });
}
