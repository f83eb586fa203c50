import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, HookFile } from "@tenterhook/protocol";
import type { ParsedHookFile } from "../parse/hook-file.ts";
import { HookCache } from "./cache.ts";
import type { Locations, Scope } from "./locations.ts";
import { NO_OVERRIDES, type Override, type Overrides, overridden } from "./overrides.ts";
import { type FoundHook, scan } from "./scan.ts";
import { signatureOf } from "./signature.ts";

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
  readonly signature: string;
  /** The trusted hooks that concern a folder, as they were trusted, whether or not they are still there. */
  covering(cwd: string): readonly { readonly folder: string; readonly hook: HookFile }[];
  /** A project's hooks.toml as it was trusted. */
  toml(file: string): string | undefined;
}

/** Finds all hooks, reads what is not known yet, and settles who stands. */
export class Cataloguer {
  readonly #locations: Locations;
  readonly #trust: Trusting | undefined;
  readonly #cache: HookCache;
  #last: { readonly signature: string; readonly catalogue: Catalogue } | undefined;

  /** Without trust, project hooks count as they are: for explicit commands on a folder. */
  constructor(locations: Locations, trust: Trusting | undefined) {
    this.#locations = locations;
    this.#trust = trust;
    this.#cache = HookCache.open(locations.cache, [locations.userHooks, locations.projectHooks]);
  }

  /** The catalogue as of now. Unchanged files cost a stat; the parser is loaded only when one must be read. */
  current(): Catalogue | Promise<Catalogue> {
    const { userHooks, projectHooks } = this.#locations;
    const found = [...scan("user", userHooks), ...scan("project", projectHooks)];
    const tomls = [userHooks, projectHooks].map((place) => place && signatureOf(join(place, TOML)));
    const signature = JSON.stringify([
      found.map((each) => [each.file, each.signature]),
      tomls,
      this.#trust?.signature,
    ]);
    if (this.#last?.signature === signature) return this.#last.catalogue;
    return this.#make(found).then((catalogue) => {
      this.#last = { signature, catalogue };
      return catalogue;
    });
  }

  async #make(found: readonly FoundHook[]): Promise<Catalogue> {
    const parsed = await this.#parseAll(found);
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
    return { hooks: settled.sort(byOrder), findings };
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

  async #parseAll(
    found: readonly FoundHook[],
  ): Promise<readonly { found: FoundHook; parsed: ParsedHookFile }[]> {
    const known = found.map((each) => ({ found: each, parsed: this.#cache.get(each.file, each.signature) }));
    if (
      known.every((each): each is { found: FoundHook; parsed: ParsedHookFile } => each.parsed !== undefined)
    )
      return known;
    const { readHookFile } = await import("../parse/read-hook-file.ts");
    const parsed = known.map((each) => {
      if (each.parsed !== undefined) return { found: each.found, parsed: each.parsed };
      const read = readHookFile(each.found.file);
      this.#cache.set(each.found.file, each.found.signature, read);
      return { found: each.found, parsed: read };
    });
    this.#cache.save(new Set(found.map(({ file }) => file)));
    return parsed;
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
