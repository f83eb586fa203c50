import type { Draft } from "../../editing/draft.ts";
import { withField } from "../../editing/draft.ts";
import { isJsonObject, type JsonObject, valueAt } from "../../editing/json-object.ts";

/** Whether there is a hook of a type, and whether it is written here or has a name. */
export type HookChoice = "none" | "inline" | "named";
export type HookTarget = "agent" | "http";

/** Fields that a hook has whatever it calls. */
const SHARED = ["on_error", "timeout_seconds", "mode"];

export function hookChoice(hook: unknown): HookChoice {
  if (!isJsonObject(hook)) return "none";
  return "$ref" in hook ? "named" : "inline";
}

/** Chooses, and remembers what was chosen and written before. */
export function withHookChoice(draft: Draft, path: string, choice: HookChoice): Draft {
  const hook = valueAt(draft.value, path);
  const before = hookChoice(hook);
  if (before === choice) return draft;
  const aside = before === "none" ? draft.aside : { ...draft.aside, [`${path}:${before}`]: hook };
  return withField({ ...draft, aside }, path, draft.aside[`${path}:${choice}`] ?? FRESH[choice]);
}

// What a failing hook means is not for the page to say: on_error is left for whoever writes it.
const FRESH: Readonly<Record<HookChoice, JsonObject | undefined>> = {
  none: undefined,
  inline: { type: "agent" },
  named: { $ref: "" },
};

/** What a new hook has. */
export const FRESH_HOOK: JsonObject = { type: "agent" };

/** Makes the hook call something else. What both kinds have stays, the rest waits aside. */
export function withHookTarget(draft: Draft, path: string, target: HookTarget): Draft {
  const given = valueAt(draft.value, path);
  const hook = isJsonObject(given) ? given : {};
  if (hook.type === target) return draft;
  const entries = Object.entries(hook);
  const shared = Object.fromEntries(entries.filter(([field]) => SHARED.includes(field)));
  const own = Object.fromEntries(entries.filter(([field]) => !SHARED.includes(field) && field !== "type"));
  const aside = { ...draft.aside, [`${path}:${String(hook.type)}`]: own };
  const back = (draft.aside[`${path}:${target}`] ?? {}) as JsonObject;
  return withField({ ...draft, aside }, path, { type: target, ...back, ...shared });
}
