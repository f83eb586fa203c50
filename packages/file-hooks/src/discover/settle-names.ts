import { basename, dirname, join } from "node:path";
import type { Finding, HookFile } from "@tenterhook/protocol";
import { type CataloguedHook, failingHook } from "./catalogued-hook.ts";
import type { HookScope } from "./locations.ts";
import { type AllOverrides, ineffectiveSettings, overridden, TOML } from "./overrides.ts";
import type { Override } from "./overrides-toml.ts";

/**
 * Settles which hooks are active, and applies the overrides. A user's hook shadows a project's of the same name, unless it is
 * marked as overridable; of several in one root none is active; hooks of nested projects do not compete. Hooks that do not
 * count, because they were never trusted, do not affect others.
 */
export function settleNames(
  hooks: readonly CataloguedHook[],
  overrides: AllOverrides,
  counts: (hook: CataloguedHook) => boolean,
): CataloguedHook[] {
  /** How many hooks of a root have a name. */
  const sharing = new Map<string, number>();
  /** Whether the user's hook of a name may be overridden; all of that name must say so. */
  const overridable = new Map<string, boolean>();
  for (const each of hooks) {
    const { scope, hook } = each;
    const key = makeKey(each);
    if (counts(each) && isEnabled(each, overrides)) sharing.set(key, (sharing.get(key) ?? 0) + 1);
    if (scope === "user")
      overridable.set(hook.name, overridable.get(hook.name) !== false && hook.metadata.overridable === true);
  }
  /** Names of project hooks that may replace an overridable hook of the user. */
  const overriding = new Set(
    hooks
      .filter((each) => each.scope === "project" && counts(each) && isEnabled(each, overrides))
      .filter((each) => sharing.get(makeKey(each)) === 1)
      .map(({ hook }) => hook.name),
  );
  return hooks.map((each) => {
    const { scope, hook } = each;
    const others = (sharing.get(makeKey(each)) ?? 0) - Number(counts(each));
    const inactive =
      scope === "project" && overridable.get(hook.name) === false
        ? "shadowed"
        : scope === "user" && overridable.get(hook.name) === true && overriding.has(hook.name)
          ? "overridden"
          : !isEnabled(each, overrides)
            ? "disabled"
            : others > 0
              ? "duplicate"
              : undefined;
    const own = projectOverride(each, overrides);
    const adjusted = overridden(overridden(hook, own, "project"), overrides.user.get(hook.name), "user");
    return { ...each, hook: withoutBlocking(adjusted), ...(inactive !== undefined && { inactive }) };
  });
}

/**
 * Hooks that fail in place of those that share a name in one root: at the events of all of them, and with `on_error: block` if one of them
 * says so or has an action.
 */
export function sharedNameHooks(
  settled: readonly CataloguedHook[],
  counts: (hook: CataloguedHook) => boolean,
): readonly CataloguedHook[] {
  const groups = new Map<string, CataloguedHook[]>();
  for (const each of settled) {
    if (each.inactive !== "duplicate" || !counts(each)) continue;
    const key = makeKey(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { scope, folder, file, isTrusted, hook } = first;
    const events = [...new Set(group.flatMap((each) => each.hook.events))];
    const onError = group.some(({ hook }) => isBlocking(hook)) ? "block" : "continue";
    const why = `${describeSharing(group)}. Rename all of them but one, in their HOOK.md`;
    return failingHook({ name: hook.name, events, onError }, { scope, folder, file, isTrusted }, { why });
  });
}

function isBlocking({ onError, action, enforce }: HookFile): boolean {
  return onError === "block" || (action !== undefined && enforce !== false);
}

/** That some hooks share a name. */
export function describeSharing(hooks: readonly CataloguedHook[]): string {
  const folders = hooks.map(({ folder }) => basename(folder));
  return `${hooks.length} hooks in ${dirname(hooks[0]?.folder ?? "")} have this name (${folders.join(", ")}), so none of them is used`;
}

function makeKey({ folder, hook }: CataloguedHook): string {
  return JSON.stringify([dirname(folder), hook.name]);
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

/** Settings that have no effect on the hook that they name. A person should know that a project tries to make a rule weaker. */
export function describeIneffective(
  hooks: readonly CataloguedHook[],
  userHooks: string,
  overrides: AllOverrides,
): readonly Finding[] {
  return hooks.flatMap((each) => {
    const own = projectOverride(each, overrides);
    const adjusted = { ...each, hook: overridden(each.hook, own, "project") };
    return [
      ...ineffective(each, own, "project", dirname(each.folder)),
      ...ineffective(adjusted, overrides.user.get(each.hook.name), "user", userHooks),
    ];
  });
}

function ineffective(
  { hook }: CataloguedHook,
  override: Override | undefined,
  of: HookScope,
  root: string,
): readonly Finding[] {
  if (override === undefined) return [];
  return Object.entries(ineffectiveSettings(hook, override, of)).map(([key, why]): Finding => {
    const field = `hooks.${hook.name}.${key}`;
    return { severity: "error", file: join(root, TOML), field, message: `${field} has no effect: ${why}` };
  });
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
