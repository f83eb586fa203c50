import { readSync } from "node:fs";
import { dirname } from "node:path";
import {
  block,
  type Context,
  type EventName,
  type HookOptions,
  type Hooks,
  type Outcome,
  type Payload,
  TenterhookError,
  type Unregister,
} from "@tenterhook/engine";
import { reservePosition } from "@tenterhook/engine/host";
import { matches } from "@tenterhook/engine/internal";
import { guardProcesses } from "@tenterhook/engine/process";
import { typedCommand } from "@tenterhook/internal";
import { isSameSignature, type Signature, withOpenFile } from "@tenterhook/internal/files";
import { type Finding, type HookFile, reasonOf } from "@tenterhook/protocol";
import { type Catalogue, Cataloguer } from "../discover/catalogue.ts";
import type { CataloguedHook, GoneReason } from "../discover/catalogued-hook.ts";
import { KnownGuards } from "../discover/known-guards.ts";
import { findLocations, type Locations, outerHooks } from "../discover/locations.ts";
import { extractFrontmatter } from "../parse/frontmatter-text.ts";
import { matcherOf, quickMatcherOf, toolMatcherOf } from "../parse/matcher.ts";
import { runHook } from "../run/run-hook.ts";
import { couldRefuse, projectOf, TrustChecker, TrustStore } from "../trust/trust-store.ts";
import { ruleSetting } from "./rule-setting.ts";
import { trustedCopy } from "./trusted-copy.ts";

/** Where hooks are found, and how they run. */
export interface FileHooksOptions {
  /** Where the project is looked for. Default: the working directory of the process. */
  readonly cwd?: string;
  /** The variables that say where the user's folders are. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The variables that hooks inherit, those that look like secrets left out. Default: those of the process. */
  readonly inheritedEnv?: Readonly<Record<string, string | undefined>>;
  /** Runs project hooks without asking for trust: for explicit commands on a folder. Default false. */
  readonly trustAll?: boolean;
  /** Which of the hooks found are registered. Default: all that are active. */
  readonly accepts?: (hook: CataloguedHook) => boolean;
  /**
   * Whether hooks' scripts are ended even if this process is killed, by a small process beside it that starts with the first script. Not
   * available on Windows. Default true; false for a process that lives for one event.
   */
  readonly guardProcesses?: boolean;
  /** Takes what a person can write so that a rule refuses less, when it has refused or asked; a model must not see it. */
  readonly onRuleSetting?: (hook: string, setting: string) => void;
  /** Takes messages for a person: problems of files, each with its finding, and what hooks print. Default: standard error. */
  readonly log?: (message: string, finding?: Finding) => void;
}

/** The margin after which the engine gives up on a hook whose process should have been ended already. */
const ENGINE_MARGIN_MS = 2_000;

/** HOOK.md's default priority is the engine's default. */
const DEFAULT_PRIORITY = 100;

/** The hooks in files that concern a working directory, as a source for the engine. */
export class FileHooks {
  readonly locations: Locations;
  readonly trust: TrustStore;
  readonly #trustChecker: TrustChecker;
  readonly #cataloguer: Cataloguer;
  readonly #projectDir: string;
  readonly #inheritedEnv: Readonly<Record<string, string | undefined>>;
  readonly #trustAll: boolean;
  readonly #accepts: (hook: CataloguedHook) => boolean;
  readonly #isGuarded: boolean;
  readonly #onRuleSetting: NonNullable<FileHooksOptions["onRuleSetting"]>;
  readonly #log: NonNullable<FileHooksOptions["log"]>;
  readonly #logged = new Set<string>();
  /** By catalogued hook: a changed file makes a new one. */
  readonly #bodies = new WeakMap<CataloguedHook, string>();
  #lastProjects:
    | { readonly signature: Signature | undefined; readonly projects: readonly string[] }
    | undefined;

  constructor({
    cwd = process.cwd(),
    env = process.env,
    inheritedEnv = process.env,
    trustAll = false,
    accepts = () => true,
    guardProcesses: isGuarded = true,
    onRuleSetting = () => undefined,
    log = logToStderr,
  }: FileHooksOptions = {}) {
    this.locations = findLocations(cwd, env);
    this.#inheritedEnv = inheritedEnv;
    this.trust = new TrustStore(this.locations.state, inheritedEnv);
    this.#trustChecker = new TrustChecker(this.trust);
    this.#cataloguer = trustAll
      ? new Cataloguer(this.locations, undefined)
      : new Cataloguer(this.locations, this.trust, new KnownGuards(this.locations.state));
    this.#projectDir = this.locations.project ?? this.locations.cwd;
    this.#trustAll = trustAll;
    this.#accepts = accepts;
    this.#isGuarded = isGuarded;
    this.#onRuleSetting = onRuleSetting;
    this.#log = log;
  }

  /** All current hooks, or those for an event, with the findings about them. */
  catalogue(event?: EventName): Catalogue | Promise<Catalogue> {
    return this.#cataloguer.current(event);
  }

  /** The text of a hook's HOOK.md below its frontmatter. It is read when the hook's event first fires, not before. */
  body(each: CataloguedHook): string {
    const known = this.#bodies.get(each);
    if (known !== undefined) return known;
    const body = readHookBody(each.file);
    this.#bodies.set(each, body);
    return body;
  }

  /** Registers the hooks with the engine and keeps them up to date: a changed file counts from the next event on. */
  attach(hooks: Hooks): Unregister {
    const position = reservePosition(hooks);
    const registered = new Map<
      EventName,
      { readonly catalogue: Catalogue; readonly unregisters: readonly Unregister[] }
    >();
    const detach = (event: EventName) => {
      for (const unregister of registered.get(event)?.unregisters ?? []) unregister();
    };
    let isAttached = true;
    const update = (event: EventName, catalogue: Catalogue) => {
      if (!isAttached || catalogue === registered.get(event)?.catalogue) return;
      detach(event);
      for (const finding of catalogue.findings) this.#logOnce(formatFinding(finding), finding);
      const active = catalogue.hooks.filter((each) => each.inactive === undefined && this.#accepts(each));
      registered.set(event, {
        catalogue,
        unregisters: active.map((each) => this.#register(hooks, each, event, position)),
      });
    };
    const stopPreparing = hooks.beforeEachDispatch((event) => {
      const catalogue = this.catalogue(event);
      return catalogue instanceof Promise
        ? catalogue.then((made) => update(event, made))
        : update(event, catalogue);
    });
    return () => {
      isAttached = false;
      stopPreparing();
      for (const event of registered.keys()) detach(event);
    };
  }

  #logOnce(message: string, finding?: Finding): void {
    if (this.#logged.has(message)) return;
    this.#logged.add(message);
    this.#log(message, finding);
  }

  #register(hooks: Hooks, each: CataloguedHook, event: EventName, position: number): Unregister {
    const { hook, file, scope, isTrusted, isTrustUnknown, gone } = each;
    const isFree = scope === "user" || this.#trustAll;
    const options: HookOptions = {
      ...optionsFor(hook),
      source: file,
      position,
      body: () => this.body(each),
      // A repository must not be able to refuse or delay anything by hooks that were never trusted.
      ...(isFree || isTrusted
        ? { matcher: matcherOf(hook) }
        : { ...(!isTrustUnknown && { onError: "continue" }), matcher: quickMatcherOf(hook) }),
    };
    const handle = (ctx: Context<EventName>) => {
      if (gone !== undefined) throw goneError(hook.name, event, gone);
      this.body(each);
      if (isFree) return this.#run(each, event, ctx, undefined);
      const checked = trustedCopy(each, event, { trust: this.trust, checker: this.#trustChecker });
      return checked.type === "trusted" ? this.#run(each, event, ctx, checked.copy) : checked;
    };
    return hooks.on(event, handle, options);
  }

  async #run(
    { hook, folder, scope }: CataloguedHook,
    event: EventName,
    ctx: Context<EventName>,
    copy: string | undefined,
  ): Promise<Outcome> {
    const location = {
      folder,
      ...(copy !== undefined && { copy }),
      projectDir: this.#projectDir,
      projects: this.#projects(),
      env: this.#inheritedEnv,
      home: this.locations.home,
      state: this.locations.state,
    };
    if (this.#isGuarded) guardProcesses();
    try {
      const {
        outcome,
        log,
        notes = [],
      } = await runHook(hook, event, payloadFor(hook, event, ctx.payload as Payload<EventName>), location, {
        context: ctx,
        onOutput: (text) => this.#log(`${hook.name}: ${text}`),
      });
      if (hook.mode === "background") {
        if (outcome.type !== "proceed") this.#log(`${hook.name}: it refused too late: ${reasonOf(outcome)}`);
      } else if (log !== undefined) this.#log(`${hook.name}: ${log}`);
      for (const note of notes) this.#logOnce(`${hook.name}: warning: ${note}`);
      if (hook.action !== undefined && outcome.type !== "proceed" && ctx.match !== undefined) {
        const setting = ruleSetting(hook, ctx.match, this.locations.userHooks);
        if (setting !== undefined) this.#onRuleSetting(hook.name, setting);
      }
      return outcome;
    } catch (error) {
      if (!TenterhookError.isInstance(error) || error.code !== "hook_tampered") throw error;
      if (!couldRefuse(hook, event)) throw error;
      const hint =
        scope === "user" ? `Look at ${folder}` : `Look at ${folder}, then run: ${typedCommand()} trust`;
      return block(
        new TenterhookError("hook_tampered", error.message, { hook: hook.name, event, hint }).message,
      );
    }
  }

  /** All projects that concern the working directory; read again when something was trusted or revoked. */
  #projects(): readonly string[] {
    const { signature } = this.trust;
    if (this.#lastProjects === undefined || !isSameSignature(this.#lastProjects.signature, signature)) {
      const { cwd, project } = this.locations;
      const covering = this.trust.covering(cwd).map(({ folder }) => projectOf(folder));
      // Any of those around it may have been trusted.
      const outer =
        this.trust.problem === undefined ? [] : outerHooks(project).map((root) => dirname(dirname(root)));
      this.#lastProjects = { signature, projects: [...new Set([cwd, ...covering, ...outer])] };
    }
    return this.#lastProjects.projects;
  }
}

/** A finding in one line: file, line, what. */
export function formatFinding({ severity, file, line, message }: Finding): string {
  return `${file}${line === undefined ? "" : `:${line}`}: ${severity}: ${message}`;
}

/** The failure of a guard that is gone, or of hooks that are broken; `on_error` decides what it means. */
function goneError(hook: string, event: EventName, { why, command }: GoneReason): TenterhookError {
  if (command === undefined) return new TenterhookError("bad_hook_file", `${why}.`, { hook, event });
  const hint = `Restore it, or confirm that by running ${command} yourself in a terminal.`;
  return new TenterhookError("hook_gone", `it is gone: ${why}.`, { hook, event, hint });
}

/** A HOOK.md as options of a registration. */
function optionsFor(hook: HookFile): HookOptions {
  return {
    name: hook.name,
    priority: hook.priority - DEFAULT_PRIORITY,
    mode: hook.mode,
    timeoutMs: hook.timeoutMs + ENGINE_MARGIN_MS,
    onError: hook.onError,
    always: hook.always,
    rejudge: hook.rejudge,
    enforce: hook.enforce,
  };
}

function logToStderr(message: string): void {
  process.stderr.write(`tenterhook: ${message}\n`);
}

/**
 * An event as a hook's script gets it. A hook that found the tool by an alias gets the alias as the tool's name, because scripts compare
 * the name that their matcher has; the tool's own name is then among the aliases.
 */
function payloadFor<E extends EventName>(
  hook: Pick<HookFile, "matcher">,
  event: E,
  payload: Payload<E>,
): Payload<E> {
  const { toolName, toolAliases = [] } = payload as { toolName?: string; toolAliases?: readonly string[] };
  if (toolName === undefined || toolAliases.length === 0) return payload;
  const names = toolMatcherOf(hook);
  const isFound = (name: string) => names === undefined || matches(names, event, { toolName: name });
  const alias = isFound(toolName) ? undefined : toolAliases.find(isFound);
  if (alias === undefined) return payload;
  const others = [toolName, ...toolAliases.filter((name) => name !== alias)];
  return { ...payload, toolName: alias, toolAliases: others };
}

/** A longer body is cut: it is for a model or a person to read. */
const LONGEST = 64 * 1024;

/** The text of a HOOK.md below its frontmatter; empty when it cannot be read. */
function readHookBody(path: string): string {
  try {
    return withOpenFile(path, (file, stats) => {
      if (!stats.isFile()) return "";
      const buffer = Buffer.allocUnsafe(Math.min(stats.size, 2 * LONGEST));
      return readBody(buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0)));
    });
  } catch {
    return "";
  }
}

function readBody(text: string): string {
  const frontmatter = extractFrontmatter(text);
  if (typeof frontmatter === "string") return "";
  const start = text.indexOf(frontmatter.yaml) + frontmatter.yaml.length;
  const line = text.indexOf("\n", start);
  return line < 0
    ? ""
    : text
        .slice(line + 1)
        .trim()
        .slice(0, LONGEST);
}
