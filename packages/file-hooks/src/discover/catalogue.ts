import { basename, dirname, join } from "node:path";
import { messageOf, systemCode, typedCommand } from "@tenterhook/internal";
import {
  ALWAYS_NEW,
  isNotFound,
  isReliable,
  isSameSignature,
  type Signature,
  signatureOf,
} from "@tenterhook/internal/files";
import { EVENT_NAMES, type EventName, eventRow, type Finding } from "@tenterhook/protocol";
import { normalName, resolveEvent } from "@tenterhook/protocol/internal";
import type { ParsedHookFile } from "../parse/hook-file.ts";
import type { ParseAllowance } from "../parse/read-hook-file.ts";
import { type CataloguedHook, failingHook, type TrustSource } from "./catalogued-hook.ts";
import { type FoundHook, HooksRoot, hookFileIn } from "./hooks-root.ts";
import { type GuardSource, goneGuards } from "./known-guards.ts";
import { type HookScope, type Locations, outerHooks } from "./locations.ts";
import { readOverrides, TOML } from "./overrides.ts";
import { describeIneffective, describeMisplaced, settleNames, sharedNameHooks } from "./settle-names.ts";

/** The hooks that were found, and what is wrong with them. */
export interface Catalogue {
  /** In the order they run: priority, then user before project, then name. */
  readonly hooks: readonly CataloguedHook[];
  readonly findings: readonly Finding[];
  /** The scopes of which something could not be read. What was found then must not be stored: it is read again at the next event. */
  readonly unread: ReadonlySet<HookScope>;
}

interface Parsed {
  readonly parsed: readonly { readonly found: FoundHook; readonly parsed: ParsedHookFile }[];
  readonly findings: readonly Finding[];
  /** In place of hooks of which nothing is known, because they cannot be read. */
  readonly unreadable: readonly CataloguedHook[];
  readonly unread: ReadonlySet<HookScope>;
}

interface ReadFile extends ParsedHookFile {
  /** Why it could not be read; absent when it does not exist any more. */
  readonly unreadable?: string;
}

/** A file or folder of hooks that cannot be read, and was not read before. */
interface Unreadable extends Pick<FoundHook, "scope" | "folder" | "file"> {
  readonly why: string;
}

/** The events at which something that fails refuses. */
const REFUSABLE = EVENT_NAMES.filter((event) => {
  const { layer, failure } = eventRow(event);
  return layer !== "coordinator" && (failure.action === "refuse" || failure.action === "fail");
});

/** The state of the file system and the trust store at one moment. */
interface Snapshot {
  /** Of the hooks roots. */
  readonly versions: readonly number[];
  /** Of the hooks.toml files, the trust store and the list of known guards. */
  readonly signatures: readonly (Signature | undefined)[];
  /** The catalogues made from it, or being made, by event. */
  readonly made: Map<EventName | undefined, Catalogue | Promise<Catalogue>>;
}

/**
 * Finds all hooks, reads what is not known yet, and settles which ones are active. At start-up only a file's first lines are
 * read; it is parsed when an event that it is for comes, or when all hooks are listed.
 */
export class Cataloguer {
  readonly #locations: Locations;
  readonly #trust: TrustSource | undefined;
  readonly #guards: GuardSource | undefined;
  readonly #ownRoots: readonly HooksRoot[];
  /** Of the projects that the project lies in. */
  #outerRoots: readonly HooksRoot[] | undefined;
  /** Those that count now. */
  #roots: readonly HooksRoot[];
  readonly #tomls: readonly string[];
  #snapshot: Snapshot | undefined;

  /** Without trust, project hooks count as they are; without guards, nothing is gone: for explicit commands on a folder. */
  constructor(locations: Locations, trust: TrustSource | undefined, guards?: GuardSource) {
    const { userHooks, projectHooks, cache } = locations;
    this.#locations = locations;
    this.#trust = trust;
    this.#guards = guards;
    this.#ownRoots = [
      new HooksRoot("user", userHooks, cache),
      ...(projectHooks === undefined ? [] : [new HooksRoot("project", projectHooks, cache)]),
    ];
    this.#roots = this.#ownRoots;
    this.#tomls = [userHooks, ...(projectHooks === undefined ? [] : [projectHooks])].map((root) =>
      join(root, TOML),
    );
  }

  /** The hooks for an event, or all of them, as of now. What has not changed since costs a stat. */
  current(event?: EventName): Catalogue | Promise<Catalogue> {
    const snapshot = this.#currentSnapshot();
    const made = snapshot.made.get(event);
    if (made !== undefined) return made;
    const making = this.#make(event).then(
      (catalogue) => {
        if (catalogue.unread.size === 0) snapshot.made.set(event, catalogue);
        else snapshot.made.delete(event);
        return catalogue;
      },
      (error: unknown) => {
        snapshot.made.delete(event);
        throw error;
      },
    );
    snapshot.made.set(event, making);
    return making;
  }

  #currentSnapshot(): Snapshot {
    this.#roots = this.#currentRoots();
    const versions = this.#roots.map((root) => root.update());
    const signatures = [
      ...this.#tomls.map(reliableSignature),
      this.#trust?.signature,
      this.#guards?.signature,
    ];
    const last = this.#snapshot;
    const isSame =
      last !== undefined &&
      versions.length === last.versions.length &&
      versions.every((version, index) => version === last.versions[index]) &&
      signatures.every((signature, index) => isSameSignature(signature, last.signatures[index]));
    if (isSame) return last;
    this.#snapshot = { versions, signatures, made: new Map() };
    return this.#snapshot;
  }

  /** The hooks of outer projects count by what is trusted. Where that is unknown, they are looked for. */
  #currentRoots(): readonly HooksRoot[] {
    if (this.#trust?.problem === undefined) return this.#ownRoots;
    const { project, cache } = this.#locations;
    this.#outerRoots ??= outerHooks(project).map((path) => new HooksRoot("project", path, cache));
    return [...this.#ownRoots, ...this.#outerRoots];
  }

  async #make(event: EventName | undefined): Promise<Catalogue> {
    const problem = this.#trust?.problem;
    const trusted = this.#trusted();
    const trustedFolders = new Set(trusted.map(({ folder }) => folder));
    const { parsed, findings, unreadable, unread } = await this.#parse(event, trusted);
    const hooks = [
      ...trusted,
      ...parsed.flatMap(({ found: { scope, folder, file }, parsed: { hook } }): CataloguedHook[] =>
        hook === undefined || trustedFolders.has(folder)
          ? []
          : [
              {
                ...{ scope, folder, file, hook, isTrusted: false },
                ...(scope === "project" && problem !== undefined && { isTrustUnknown: true }),
              },
            ],
      ),
    ];
    const { userHooks } = this.#locations;
    const projects = new Set(
      hooks.filter(({ scope }) => scope === "project").map(({ folder }) => dirname(folder)),
    );
    if (this.#locations.projectHooks !== undefined) projects.add(this.#locations.projectHooks);
    const read = await readOverrides(userHooks, projects, this.#trust);
    const counts = ({ scope, isTrusted }: CataloguedHook) =>
      scope === "user" || isTrusted || this.#trust === undefined;
    const settled = settleNames(hooks, read.overrides, counts);
    const wanted = event === undefined ? settled : settled.filter(({ hook }) => hook.events.includes(event));
    const ofFiles = parsed.flatMap((each) => each.parsed.findings);
    const known = this.#guards?.read(userHooks) ?? { guards: [], findings: [] };
    const list = { scope: "user", folder: userHooks, file: this.#guards?.path ?? "" } as const;
    const lists = known.unreadable === undefined ? [] : [this.#failing({ ...list, why: known.unreadable })];
    const gone = goneGuards(known.guards, { root: userHooks, hooks: settled, findings: ofFiles }, event);
    // Of a known guard that shares its name, its own `on_error` decides.
    const isDecided = (name: string, at: EventName) =>
      gone.some(({ hook }) => hook.name === name && hook.events.includes(at));
    const shared = sharedNameHooks(settled, counts).map((each) => {
      const { name, events } = each.hook;
      const left = each.scope === "user" ? events.filter((at) => !isDecided(name, at)) : events;
      return { ...each, hook: { ...each.hook, events: left } };
    });
    const failing = [...shared, ...unreadable, ...lists].filter(({ hook: { events } }) =>
      event === undefined ? events.length > 0 : events.includes(event),
    );
    return {
      unread: read.mayPass || lists.length > 0 ? new Set([...unread, "user"]) : unread,
      hooks: [...wanted, ...gone, ...failing].sort(byOrder),
      findings: [
        ...(problem === undefined ? [] : [unknownTrust(this.#trust?.path ?? "", problem)]),
        ...known.findings,
        ...read.findings,
        ...describeMisplaced(settled, read.overrides),
        ...describeIneffective(hooks, userHooks, read.overrides),
        ...ofFiles,
        ...findings,
        ...settled.flatMap(describeInactive),
      ],
    };
  }

  /** Trusted hooks come first and as they were trusted, so that nothing in the project can replace them. */
  #trusted(): readonly CataloguedHook[] {
    return [...(this.#trust?.covering(this.#locations.cwd) ?? [])]
      .sort((a, b) => (a.folder < b.folder ? -1 : 1))
      .map(({ folder, hook }) => ({
        scope: "project",
        folder,
        file: hookFileIn(folder),
        hook,
        isTrusted: true,
      }));
  }

  /**
   * Parses the hooks that may concern an event, and those that share a name with another. Of hooks that were never trusted
   * only so much is parsed before an event: they are parsed to be reported, and a clone may contain any number of them.
   */
  async #parse(event: EventName | undefined, trusted: readonly CataloguedHook[]): Promise<Parsed> {
    const trustedFolders = new Set(trusted.map(({ folder }) => folder));
    // A thousand hooks have a handful of triggers.
    const isForEvent = new Map<string, boolean>();
    const mayConcern = (trigger: string) => {
      const isFor = isForEvent.get(trigger) ?? (event === undefined || mayBeFor(trigger, event));
      isForEvent.set(trigger, isFor);
      return isFor;
    };
    const isLimited = event !== undefined && this.#trust !== undefined;
    const untrusted: ParseAllowance = { left: UNTRUSTED_WEIGHT };
    const read = (found: FoundHook): ReadFile | Promise<ReadFile | undefined> => {
      const allowance = isLimited && found.scope === "project" ? untrusted : undefined;
      return knownFile(found, allowance) ?? readAndRemember(found, allowance);
    };
    // It counts as it was trusted; whether it is unchanged is checked when it runs.
    const isLeftOut = ({ folder }: FoundHook) => isLimited && trustedFolders.has(folder);
    const shared = this.#sharedNames();
    for (const { hook } of trusted) shared.add(hook.name);
    for (const root of this.#roots) {
      for (const found of root.hooks(() => false)) {
        const name = isLeftOut(found) ? undefined : (await read(found))?.hook?.name;
        if (name !== undefined) shared.add(name);
      }
    }
    const parsed: { readonly found: FoundHook; readonly parsed: ParsedHookFile }[] = [];
    let unparsed = 0;
    const unreadable: Unreadable[] = [];
    const findings: Finding[] = [];
    const unread = new Set<HookScope>();
    for (const root of this.#roots) {
      for (const found of root.hooks((name, trigger) => mayConcern(trigger) || shared.has(name))) {
        if (isLeftOut(found)) continue;
        const file = await read(found);
        if (file === undefined) unparsed++;
        else parsed.push({ found, parsed: file });
        const { scope, folder, file: path } = found;
        if (file?.unreadable !== undefined)
          unreadable.push({ scope, folder, file: path, why: file.unreadable });
      }
      for (const [path, why] of root.problems) {
        findings.push(unreadFinding(path, why, root.isKnown));
        unread.add(root.scope);
        if (!root.isKnown) unreadable.push({ scope: root.scope, folder: path, file: path, why });
      }
    }
    for (const { scope } of unreadable) unread.add(scope);
    return {
      parsed,
      findings: [...this.#unreadFindings(unparsed), ...findings],
      unreadable: unreadable.filter(({ scope }) => this.#counts(scope)).map((each) => this.#failing(each)),
      unread,
    };
  }

  /** Whether hooks of a scope may count that were never trusted. */
  #counts(scope: HookScope): boolean {
    return scope === "user" || this.#trust === undefined || this.#trust.problem !== undefined;
  }

  /** The hook in place of those that cannot be read: it may be any guard, so nothing passes. */
  #failing({ scope, folder, file, why }: Unreadable): CataloguedHook {
    const isTrustUnknown = scope === "project" && this.#trust?.problem !== undefined;
    const place = { scope, folder, file, isTrusted: false, ...(isTrustUnknown && { isTrustUnknown }) };
    return failingHook({ name: normalName(basename(folder)), events: REFUSABLE, onError: "block" }, place, {
      why: `${file} cannot be read (${why}), and nothing is known of it from before. Make it readable; it is read again at the next event`,
    });
  }

  #unreadFindings(unparsed: number): readonly Finding[] {
    const left = unparsed + this.#roots.reduce((sum, { unread }) => sum + unread, 0);
    if (left === 0) return [];
    const message = `${left} of the hooks here were never trusted and are too many or too large to be read before an event; run: ${typedCommand()} check`;
    return [{ severity: "warning", file: this.#locations.projectHooks ?? "", message }];
  }

  /** Names that several hooks have, as far as that is known without the parser. */
  #sharedNames(): Set<string> {
    const seen = new Set<string>();
    const shared = new Set<string>();
    const inUse = this.#roots.filter((root) => !root.isEmpty);
    if (inUse.length < 2 && !inUse.some((root) => root.mayRepeatNames)) return shared;
    for (const root of inUse) {
      root.hooks((name) => {
        (seen.has(name) ? shared : seen).add(name);
        return false;
      });
    }
    return shared;
  }
}

function unreadFinding(file: string, why: string, isKnown: boolean): Finding {
  const then = isKnown
    ? "so what was known of it before still counts"
    : "and nothing is known of it from before";
  const message = `it cannot be read (${why}), ${then}; it is read again at the next event`;
  return { severity: "error", file, message };
}

/** The signature of a file; of one that has just changed, and may change again without another signature, one that equals no other. */
function reliableSignature(path: string): Signature | undefined {
  const signature = signatureOf(path);
  return signature === undefined || isReliable(signature) ? signature : ALWAYS_NEW;
}

function unknownTrust(file: string, problem: string): Finding {
  const message = `it is not known what is trusted (${problem}); what a project's guards with on_error: block match is refused, and its other hooks are not called. Restore the file, or run ${typedCommand()} trust yourself in a terminal`;
  return { severity: "error", file, message };
}

/** What the parser found before; not a quick reading when there is time for a full one. */
function knownFile({ parsed }: FoundHook, allowance: ParseAllowance | undefined): ParsedHookFile | undefined {
  return parsed?.isQuick === true && allowance === undefined ? undefined : parsed;
}

async function readAndRemember(
  found: FoundHook,
  allowance: ParseAllowance | undefined,
): Promise<ReadFile | undefined> {
  if (allowance !== undefined && allowance.left < 0) return undefined;
  const failed = (error: unknown, why: string, isThere: boolean): ReadFile => ({
    findings: [
      { severity: "error", file: found.file, message: `it cannot be read: ${messageOf(error)}${why}` },
    ],
    ...(isThere && { unreadable: `${systemCode(error) ?? messageOf(error)}${why}` }),
  });
  // Loaded when first needed: a warm cache needs neither the YAML parser nor the schema.
  const parser = await import("../parse/read-hook-file.ts").catch((error: unknown) => ({ error }));
  // Node.js does not try to load a module twice.
  if ("error" in parser) return failed(parser.error, ", loading the parser; restart this program", true);
  try {
    const parsed = parser.openHookFile(found.file, allowance);
    if (parsed !== undefined) found.remember(parsed);
    return parsed;
  } catch (error) {
    return failed(error, "", !isNotFound(error));
  }
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
    events.some((each) => eventRow(each).layer === "coordinator")
  );
}

/**
 * How much is parsed of hooks that were never trusted, in marks (see `weightOf`): at most 0.2 s of work, once. Two hundred
 * ordinary hooks have as many.
 */
const UNTRUSTED_WEIGHT = 5_000;

function describeInactive({ file, hook, inactive }: CataloguedHook): Finding[] {
  if (inactive === "shadowed") {
    const message = `${hook.name} is shadowed by the user's hook of the same name; rename it`;
    return [{ severity: "warning", file, field: "name", message }];
  }
  if (inactive === "duplicate") {
    const message = `there is another hook named ${hook.name} in the same folder, so this one is not used; rename one of them`;
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
