import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type EventName, eventRow, type Finding, type HookFile, resolveEvent } from "@tenterhook/protocol";
import type { ParsedHookFile } from "../parse/hook-file.ts";
import type { Locations, Scope } from "./locations.ts";
import { NO_OVERRIDES, type Override, type Overrides, overridden } from "./overrides.ts";
import { type FoundHook, Place } from "./place.ts";
import { isSameSignature, type Signature, signatureOf } from "./signature.ts";

/** A hook that was found, and whether it stands. */
export interface CataloguedHook {
  readonly scope: Scope;
  readonly folder: string;
  readonly file: string;
  /** What counts: a trusted project hook as it was trusted, any other as it is now. */
  readonly hook: HookFile;
  /** Project hooks only: whether it was ever trusted. Whether it still is what was trusted shows when it runs. */
  readonly isTrusted: boolean;
  /** Why it does not take part, if it does not. */
  readonly inactive?: "shadowed" | "overridden" | "duplicate" | "disabled";
}

export interface Catalogue {
  /** In the order they run: priority, then user before project, then name. */
  readonly hooks: readonly CataloguedHook[];
  readonly findings: readonly Finding[];
}

/** What the catalogue needs to know of trust. */
export interface Trusting {
  readonly signature: Signature | undefined;
  /** The trusted hooks that concern a folder, as they were trusted, whether or not they are still there. */
  covering(cwd: string): readonly { readonly folder: string; readonly hook: HookFile }[];
  /** A project's hooks.toml as it was trusted. */
  toml(file: string): string | undefined;
}

/** What the file system and the trust store looked like. */
interface Snapshot {
  /** Of the places. */
  readonly versions: readonly number[];
  /** Of the hooks.toml files and the trust store. */
  readonly signatures: readonly (Signature | undefined)[];
  /** Catalogues made of it, by event. */
  readonly made: Map<EventName | undefined, Catalogue>;
}

/**
 * Finds all hooks, reads what is not known yet, and settles who stands. At start-up only a file's first lines are read;
 * it is parsed when an event that it is for comes, or when somebody asks for all of them.
 */
export class Cataloguer {
  readonly #locations: Locations;
  readonly #trust: Trusting | undefined;
  readonly #places: readonly Place[];
  #snapshot: Snapshot | undefined;

  /** Without trust, project hooks count as they are: for explicit commands on a folder. */
  constructor(locations: Locations, trust: Trusting | undefined) {
    const { userHooks, projectHooks, cache } = locations;
    this.#locations = locations;
    this.#trust = trust;
    this.#places = [
      new Place("user", userHooks, cache),
      ...(projectHooks === undefined ? [] : [new Place("project", projectHooks, cache)]),
    ];
  }

  /** The hooks for an event, or all of them, as of now. What has not changed since costs a stat. */
  current(event?: EventName): Catalogue | Promise<Catalogue> {
    const snapshot = this.#look();
    const made = snapshot.made.get(event);
    if (made !== undefined) return made;
    return this.#make(event).then((catalogue) => {
      snapshot.made.set(event, catalogue);
      return catalogue;
    });
  }

  #look(): Snapshot {
    const { userHooks, projectHooks } = this.#locations;
    const versions = this.#places.map((place) => place.look());
    const signatures = [
      signatureOf(join(userHooks, TOML)),
      projectHooks === undefined ? undefined : signatureOf(join(projectHooks, TOML)),
      this.#trust?.signature,
    ];
    const last = this.#snapshot;
    const isSame =
      last !== undefined &&
      versions.every((version, index) => version === last.versions[index]) &&
      signatures.every((signature, index) => isSameSignature(signature, last.signatures[index]));
    if (isSame) return last;
    this.#snapshot = { versions, signatures, made: new Map() };
    return this.#snapshot;
  }

  async #make(event: EventName | undefined): Promise<Catalogue> {
    const parsed = await this.#parse(event);
    const overrides = await this.#overrides();
    const trusted = this.#trusted();
    const hooks = [
      ...trusted,
      ...parsed.flatMap(({ found: { scope, folder, file }, parsed: { hook } }): CataloguedHook[] => {
        const isKnown = hook === undefined || trusted.some((other) => other.folder === folder);
        return isKnown ? [] : [{ scope, folder, file, hook, isTrusted: false }];
      }),
    ];
    const settled = settle(hooks, overrides.user.byName, overrides.project.byName);
    const findings = [
      ...overrides.user.findings,
      ...overrides.project.findings,
      ...parsed.flatMap((each) => each.parsed.findings),
      ...settled.flatMap(findingsOf),
    ];
    const wanted = event === undefined ? settled : settled.filter(({ hook }) => hook.events.includes(event));
    return { hooks: wanted.sort(byOrder), findings };
  }

  /** Trusted hooks come first and as they were trusted, so that nothing in the project can take their place. */
  #trusted(): readonly CataloguedHook[] {
    return (this.#trust?.covering(this.#locations.cwd) ?? []).map(({ folder, hook }) => ({
      scope: "project",
      folder,
      file: join(folder, "HOOK.md"),
      hook,
      isTrusted: true,
    }));
  }

  /** Parses the hooks that may concern an event, and those that share a name with another. */
  async #parse(
    event: EventName | undefined,
  ): Promise<readonly { readonly found: FoundHook; readonly parsed: ParsedHookFile }[]> {
    const shared = this.#sharedNames();
    // A thousand hooks have a handful of triggers.
    const judged = new Map<string, boolean>();
    const mayConcern = (trigger: string) => {
      const isFor = judged.get(trigger) ?? (event === undefined || mayBeFor(trigger, event));
      judged.set(trigger, isFor);
      return isFor;
    };
    const parsed: { readonly found: FoundHook; readonly parsed: ParsedHookFile }[] = [];
    for (const place of this.#places) {
      for (const found of place.hooks((name, trigger) => mayConcern(trigger) || shared.has(name))) {
        parsed.push({ found, parsed: found.parsed ?? (await readAndLearn(found)) });
      }
    }
    return parsed;
  }

  #sharedNames(): ReadonlySet<string> {
    const seen = new Set<string>();
    const shared = new Set<string>();
    const inUse = this.#places.filter((place) => !place.isEmpty);
    if (inUse.length < 2 && !inUse.some((place) => place.mayRepeatNames)) return shared;
    for (const place of inUse) {
      place.hooks((name) => {
        (seen.has(name) ? shared : seen).add(name);
        return false;
      });
    }
    return shared;
  }

  async #overrides(): Promise<{ readonly user: Overrides; readonly project: Overrides }> {
    const { userHooks, projectHooks } = this.#locations;
    const user = readText(join(userHooks, TOML));
    const project = projectHooks === undefined ? NO_TOML : this.#projectToml(join(projectHooks, TOML));
    if (user === undefined && project.text === undefined)
      return { user: NO_OVERRIDES, project: { ...NO_OVERRIDES, findings: project.findings } };
    const { parseOverrides } = await import("./overrides-toml.ts");
    const read = (file: string, text: string | undefined) =>
      text === undefined ? NO_OVERRIDES : parseOverrides(file, text);
    const theirs = read(project.file, project.text);
    return {
      user: read(join(userHooks, TOML), user),
      project: { ...theirs, findings: [...theirs.findings, ...project.findings] },
    };
  }

  /** A project's hooks.toml counts as it was trusted: whoever could edit it could otherwise switch a guard off with it. */
  #projectToml(file: string): {
    readonly file: string;
    readonly text: string | undefined;
    readonly findings: readonly Finding[];
  } {
    const now = readText(file);
    if (this.#trust === undefined) return { file, text: now, findings: [] };
    const text = this.#trust.toml(file);
    if (text === now) return { file, text, findings: [] };
    const what =
      text === undefined
        ? "was never trusted, so it has no effect"
        : "was changed since it was trusted; the trusted one counts";
    return {
      file,
      text,
      findings: [
        { severity: "warning", file, message: `it ${what}. Look at it, then run: tenterhook trust` },
      ],
    };
  }
}

async function readAndLearn(found: FoundHook): Promise<ParsedHookFile> {
  // Loaded when first needed: a warm cache needs neither the YAML parser nor the schema.
  const { readHookFile } = await import("../parse/read-hook-file.ts");
  const parsed = readHookFile(found.file);
  found.learn(parsed);
  return parsed;
}

/**
 * Whether a trigger may be for an event. One that does not exist, or is the coordinator's, may be for any: the hook must
 * be parsed to be reported.
 */
function mayBeFor(trigger: string, event: EventName): boolean {
  const events = resolveEvent(trigger);
  return (
    events === undefined ||
    events.includes(event) ||
    events.some((each) => eventRow(each).scope === "coordinator")
  );
}

const TOML = "hooks.toml";
const NO_TOML = { file: "", text: undefined, findings: [] };

/** Settles names: a user's hook stands over a project's, unless it says that it may be overridden. */
function settle(
  hooks: readonly CataloguedHook[],
  user: ReadonlyMap<string, Override>,
  project: ReadonlyMap<string, Override>,
): CataloguedHook[] {
  const overridable = new Set(
    hooks
      .filter(({ scope, hook }) => scope === "user" && hook.metadata.overridable === true)
      .map(({ hook }) => hook.name),
  );
  const taken = { user: new Set<string>(), project: new Set<string>() };
  const named = (scope: Scope, name: string) =>
    hooks.some((other) => other.scope === scope && other.hook.name === name);
  return hooks.map((each) => {
    const { scope, hook } = each;
    const { name } = hook;
    const own = scope === "project" ? project.get(name) : undefined;
    const adjusted = overridden(overridden(hook, own), user.get(name));
    const enabled = user.get(name)?.enabled ?? own?.enabled ?? true;
    const inactive = taken[scope].has(name)
      ? "duplicate"
      : scope === "project" && named("user", name) && !overridable.has(name)
        ? "shadowed"
        : scope === "user" && overridable.has(name) && named("project", name)
          ? "overridden"
          : enabled
            ? undefined
            : "disabled";
    taken[scope].add(name);
    return { ...each, hook: adjusted, ...(inactive !== undefined && { inactive }) };
  });
}

function findingsOf({ file, hook, inactive }: CataloguedHook): Finding[] {
  if (inactive === "shadowed") {
    const message = `${hook.name} is shadowed by the user's hook of the same name; rename it`;
    return [{ severity: "warning", file, field: "name", message }];
  }
  if (inactive === "duplicate") {
    const message = `there is another hook named ${hook.name} in the same place; rename one of them`;
    return [{ severity: "error", file, field: "name", message }];
  }
  return [];
}

function byOrder(a: CataloguedHook, b: CataloguedHook): number {
  return (
    b.hook.priority - a.hook.priority ||
    Number(a.scope === "project") - Number(b.scope === "project") ||
    (a.hook.name < b.hook.name ? -1 : 1)
  );
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
