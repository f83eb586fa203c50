import type { Hooks } from "@tenterhook/engine";

/** What settings had when they got their hooks. */
interface Hooked {
  readonly sets: ReadonlySet<Hooks>;
  readonly fields: object;
}

const known = new WeakMap<object, Hooked>();

/** Whether settings have these hooks already, and nothing in them was replaced since: then the hooks must not be called twice. */
export function hasHooksAlready(settings: object, hooks: Hooks): boolean {
  const { sets, fields } = known.get(settings) ?? {};
  return sets?.has(hooks) === true && fields !== undefined && isUnchanged(settings, fields);
}

/** Notes that settings have the hooks of those that they were made of, and these. Returns them. */
export function noteHooks<S extends object>(hooked: S, settings: object, hooks: Hooks): S {
  const { sets } = known.get(settings) ?? {};
  known.set(hooked, { sets: new Set(sets).add(hooks), fields: { ...hooked } });
  return hooked;
}

function isUnchanged(settings: object, fields: object): boolean {
  const current = Object.entries(settings);
  return (
    current.length === Object.keys(fields).length &&
    current.every(([name, value]) => (fields as Readonly<Record<string, unknown>>)[name] === value)
  );
}
