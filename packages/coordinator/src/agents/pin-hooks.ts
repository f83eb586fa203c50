import {
  type Blueprint,
  DEFAULT_HOOK_SECONDS,
  DEFAULT_MODES,
  RUN_HOOK_TYPES,
  type RunHookDefinition,
  type RunHookType,
} from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { targetName } from "../store/hook-target.ts";
import type { PinnedHook, PinnedHooks } from "../store/rows.ts";
import { isChained } from "./hook-input-fit.ts";

const NAMED: Statement = {
  name: "read-named-hooks",
  text: "SELECT name, definition FROM named_hooks WHERE name = ANY($1::text[])",
};

/** There is no hook of this name. The blueprint was checked when it was saved, so the hook was deleted since. */
export class UnknownHookName extends Error {
  readonly hookType: RunHookType;

  constructor(hookName: string, hookType: RunHookType) {
    super(`there is no hook named "${hookName}"`);
    this.hookType = hookType;
  }
}

/** The hooks of a blueprint as they are stored with a run: named ones resolved, modes filled in. */
export async function pinHooks(queries: Queries, { hooks }: Blueprint): Promise<PinnedHooks> {
  const names = Object.values(hooks).flatMap((hook) =>
    hook !== undefined && "$ref" in hook ? [hook.$ref] : [],
  );
  const rows =
    names.length === 0
      ? []
      : await queries.run<{ name: string; definition: RunHookDefinition }>(NAMED, [names]);
  const named = new Map(rows.map(({ name, definition }) => [name, definition]));
  const pinned: { -readonly [T in keyof PinnedHooks]: PinnedHooks[T] } = {};
  for (const type of RUN_HOOK_TYPES) {
    const hook = hooks[type];
    if (hook === undefined) continue;
    if (!("$ref" in hook)) {
      pinned[type] = pinnedAs(type, hook);
      continue;
    }
    const definition = named.get(hook.$ref);
    if (definition === undefined) throw new UnknownHookName(hook.$ref, type);
    pinned[type] = { ...pinnedAs(type, definition), name: hook.$ref };
  }
  return pinned;
}

/** A hook as it is stored with a run: with its mode, its time limit and the target that limits of calls are about. */
export function pinnedAs(type: RunHookType, definition: RunHookDefinition): PinnedHook {
  const mode = definition.mode ?? DEFAULT_MODES[type];
  const hasNoLimit = definition.type === "agent" && isChained(type, mode);
  const timeout_seconds = definition.timeout_seconds ?? (hasNoLimit ? undefined : DEFAULT_HOOK_SECONDS);
  return {
    ...definition,
    mode,
    ...(timeout_seconds !== undefined && { timeout_seconds }),
    ...(definition.type === "http" && { target: targetName(definition) }),
  };
}
