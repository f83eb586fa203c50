import { dirname, join } from "node:path";
import type { Finding, HookFile } from "@tenterhook/protocol";
import type { CataloguedHook } from "./catalogued-hook.ts";
import { type Override, overridden, TOML } from "./overrides.ts";

type ByName = ReadonlyMap<string, Override>;

/** The settings of all hooks.toml files: the user's for all hooks, a project's for the hooks beside it. */
export interface AllOverrides {
  readonly user: ByName;
  /** By the hooks root that it is in. */
  readonly projects: ReadonlyMap<string, ByName>;
}

/**
 * Settles which hooks are active, and applies the overrides. A user's hook shadows a project's of the same name, unless it is
 * marked as overridable; of two in one root the first is active; hooks of nested projects do not compete. Hooks that do not
 * count, because they were never trusted, do not affect others.
 */
export function settleNames(
  hooks: readonly CataloguedHook[],
  overrides: AllOverrides,
  counts: (hook: CataloguedHook) => boolean,
): CataloguedHook[] {
  /** Whether the user's hook of a name may be overridden; the first of that name decides. */
  const overridable = new Map<string, boolean>();
  /** Names of project hooks that may replace an overridable hook of the user. */
  const overriding = new Set<string>();
  for (const each of hooks) {
    const { scope, hook } = each;
    if (scope === "user") {
      if (!overridable.has(hook.name)) overridable.set(hook.name, hook.metadata.overridable === true);
    } else if (counts(each) && isEnabled(each, overrides)) overriding.add(hook.name);
  }
  const taken = new Set<string>();
  return hooks.map((each) => {
    const { scope, folder, hook } = each;
    const key = JSON.stringify([dirname(folder), hook.name]);
    const inactive = taken.has(key)
      ? "duplicate"
      : scope === "project" && overridable.get(hook.name) === false
        ? "shadowed"
        : scope === "user" && overridable.get(hook.name) === true && overriding.has(hook.name)
          ? "overridden"
          : isEnabled(each, overrides)
            ? undefined
            : "disabled";
    if (counts(each)) taken.add(key);
    const own = projectOverride(each, overrides);
    const adjusted = overridden(overridden(hook, own), overrides.user.get(hook.name));
    return { ...each, hook: withoutBlocking(adjusted), ...(inactive !== undefined && { inactive }) };
  });
}

/** The failure of a hook that is not enforced never blocks. */
function withoutBlocking(hook: HookFile): HookFile {
  return hook.enforce === false ? { ...hook, onError: "continue" } : hook;
}

function isEnabled(each: CataloguedHook, overrides: AllOverrides): boolean {
  return overrides.user.get(each.hook.name)?.enabled ?? projectOverride(each, overrides)?.enabled ?? true;
}

function projectOverride(
  { scope, folder, hook }: CataloguedHook,
  { projects }: AllOverrides,
): Override | undefined {
  return scope === "project" ? projects.get(dirname(folder))?.get(hook.name) : undefined;
}

/** Settings of a project for hooks of the user. They have no effect, and a person should know that a project tries it. */
export function describeMisplaced(
  hooks: readonly CataloguedHook[],
  { projects }: AllOverrides,
): readonly Finding[] {
  if (projects.size === 0) return [];
  const users = new Set(hooks.filter(({ scope }) => scope === "user").map(({ hook }) => hook.name));
  return [...projects].flatMap(([root, byName]) => {
    const beside = new Set(
      hooks
        .filter(({ scope, folder }) => scope === "project" && dirname(folder) === root)
        .map(({ hook }) => hook.name),
    );
    return [...byName.keys()]
      .filter((name) => users.has(name) && !beside.has(name))
      .map((name): Finding => {
        const message = `hooks.${name} has no effect: ${name} is a hook of the user, and a project's hooks.toml counts for the hooks beside it only; remove it here`;
        return { severity: "error", file: join(root, TOML), field: `hooks.${name}`, message };
      });
  });
}
