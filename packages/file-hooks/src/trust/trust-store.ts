import { isUtf8 } from "node:buffer";
import { renameSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isRecord, messageOf, typedCommand } from "@tenterhook/internal";
import {
  ALWAYS_NEW,
  isMissing,
  isSameSignature,
  makeFolders,
  readPlainBytes,
  readPlainFile,
  realFoldersAround,
  realPath,
  replacePlainFile,
  type Signature,
  signatureOf,
  underLockSync,
} from "@tenterhook/internal/files";
import { EVENT_NAMES, type EventName, eventRow, type HookFile, TenterhookError } from "@tenterhook/protocol";
import { isStoredMatcher, mayDecide, normalName } from "@tenterhook/protocol/internal";
import type { Environment } from "../discover/locations.ts";
import { hashIfPossible } from "./folder-hash.ts";
import { fingerprintOf } from "./interpreter-fingerprint.ts";
import { KnownHashes } from "./known-hashes.ts";
import { PrivateCopies } from "./private-copies.ts";

/**
 * What the user has trusted. Read when needed; changed under a lock and written whole, so that no change of two commands is lost. If its
 * file cannot be read, nothing counts as trusted, `problem` says why, and every change throws.
 */
export class TrustStore {
  readonly #path: string;
  readonly #copies: PrivateCopies;
  #last: { readonly signature: Signature | undefined; readonly file: TrustFile } | undefined;

  /** `env` says where temporary folders are. Default: that of this process. */
  constructor(state: string, env: Environment = process.env) {
    this.#path = join(state, "trust.json");
    this.#copies = new PrivateCopies(state, env);
  }

  get path(): string {
    return this.#path;
  }

  /** Why it is not known what is trusted, if it is not. */
  get problem(): string | undefined {
    const file = this.#readFile();
    return file.type === "unknown" ? file.why : undefined;
  }

  /**
   * Puts a file that cannot be read aside, so that things can be trusted again, and returns its new path; `undefined` when nothing is
   * wrong with it. Only for a person who was told: what was trusted in other projects is no longer trusted then.
   */
  startAnew(): string | undefined {
    return this.#change(() => {
      if (this.problem === undefined) return undefined;
      const aside = `${this.#path}.unreadable-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
      renameSync(this.#path, aside);
      this.#last = undefined;
      return aside;
    });
  }

  list(): readonly TrustedHook[] {
    return Object.values(this.#read().hooks);
  }

  /** The copies of what was trusted. */
  get copies(): PrivateCopies {
    return this.#copies;
  }

  /** The hook trusted in a folder, by whichever path the project is reached. */
  get(folder: string): TrustedHook | undefined {
    const { hooks } = this.#read();
    if (Object.hasOwn(hooks, folder)) return hooks[folder];
    const real = canonical(folder);
    const own = Object.values(hooks).find((each) => each.folder === real || canonical(each.folder) === real);
    return own ?? this.#sameInMain(real);
  }

  /** The hook of the repository that a folder is a worktree of, if that was trusted and this one is the same. */
  #sameInMain(folder: string): TrustedHook | undefined {
    const main = mainWorktreeOf(projectOf(folder));
    if (main === undefined) return undefined;
    const { hooks } = this.#read();
    const key = join(main, ".agents", "hooks", basename(folder));
    const trusted = Object.hasOwn(hooks, key) ? hooks[key] : undefined;
    return trusted !== undefined && hashIfPossible(folder) === trusted.hash
      ? { ...trusted, folder }
      : undefined;
  }

  /**
   * The hooks trusted in a folder's project and in all projects around it, whether or not they still exist: neither
   * removing `.agents` nor adding another one closer disables them.
   */
  covering(cwd: string): readonly TrustedHook[] {
    const around = foldersAround(cwd);
    const all = this.list();
    const own = all.filter(({ folder }) => {
      const project = projectOf(folder);
      return around.has(project) || around.has(realPath(project));
    });
    return all.length === 0 ? own : [...own, ...this.#inWorktrees(around, own)];
  }

  /** Hooks in worktrees of trusted repositories, where they are the same as those that were trusted. */
  #inWorktrees(around: ReadonlySet<string>, own: readonly TrustedHook[]): readonly TrustedHook[] {
    const known = new Set(own.map(({ folder }) => folder));
    const roots = new Set([...around].map(realPath));
    return [...roots].flatMap((root) => {
      const main = mainWorktreeOf(root);
      if (main === undefined) return [];
      return this.list()
        .filter(({ folder }) => projectOf(folder) === main)
        .map(({ folder }) => join(root, ".agents", "hooks", basename(folder)))
        .flatMap((folder) => (known.has(folder) ? [] : (this.#sameInMain(folder) ?? [])));
    });
  }

  toml(file: string): string | undefined {
    const { tomls } = this.#read();
    if (Object.hasOwn(tomls, file)) return tomls[file];
    const real = realPath(file);
    if (Object.hasOwn(tomls, real)) return tomls[real];
    const main = mainWorktreeOf(dirname(dirname(dirname(real))));
    return main === undefined ? undefined : tomls[join(main, ".agents", "hooks", basename(real))];
  }

  /**
   * Trusts a hook's folder as it is now, and keeps a copy of it to run. Throws when the folder cannot be trusted, and when it
   * does not have the expected hash, which it had when a person looked at it.
   */
  trust(folder: string, hook: HookFile, { expected }: { readonly expected?: string } = {}): TrustedHook {
    const key = canonical(folder);
    const interpreter = namedInterpreter(hook, key);
    const fingerprint = interpreter === undefined ? undefined : fingerprintOf(interpreter, projectOf(key));
    return this.#change(() => {
      this.#requireKnown();
      // Under the lock too: what is revoked meanwhile may have the same copy.
      const hash = this.#copies.make(folder);
      if (expected !== undefined && hash !== expected) {
        this.#forget(hash);
        throw new TenterhookError("hook_tampered", `${folder} was changed meanwhile, so it was not trusted.`);
      }
      const trusted = {
        folder: key,
        hash,
        ...(fingerprint !== undefined && { interpreter: fingerprint }),
        hook,
        trustedAt: new Date().toISOString(),
      };
      const before = this.get(key);
      const content = this.#read();
      this.#write({ ...content, hooks: { ...without(content.hooks, before?.folder), [key]: trusted } });
      if (before !== undefined) this.#forget(before.hash);
      return trusted;
    });
  }

  /** Trusts a project's hooks.toml as it is now; without a text, that there is none. */
  trustToml(file: string, text: string | undefined): void {
    this.#change(() => {
      this.#requireKnown();
      const content = this.#read();
      const others = without(without(content.tomls, file), realPath(file));
      this.#write({ ...content, tomls: text === undefined ? others : { ...others, [realPath(file)]: text } });
    });
  }

  /** Revokes trust; false when there was none. */
  revoke(folder: string): boolean {
    return this.#change(() => {
      this.#requireKnown();
      const trusted = this.get(folder);
      if (trusted === undefined) return false;
      const content = this.#read();
      this.#write({ ...content, hooks: without(content.hooks, trusted.folder) });
      this.#forget(trusted.hash);
      return true;
    });
  }

  /** Reads anew and writes while no other process does. */
  #change<T>(change: () => T): T {
    makeFolders(dirname(this.#path));
    return underLockSync(`${this.#path}.lock`, () => {
      this.#last = undefined;
      return change();
    });
  }

  /** Removes the copy with a hash, unless a trusted hook still has it. */
  #forget(hash: string): void {
    if (!this.list().some((each) => each.hash === hash)) this.#copies.remove(hash);
  }

  /** What cannot be read is not overwritten: it may say what is trusted. */
  #requireKnown(): void {
    const { problem } = this;
    if (problem !== undefined) throw trustUnknown(this.#path, problem);
  }

  /** Changes when something is trusted or revoked, and always while the file cannot be read. */
  get signature(): Signature | undefined {
    const file = this.#last?.file;
    return file?.type === "unknown" && file.mayPass ? ALWAYS_NEW : signatureOf(this.#path);
  }

  #read(): TrustContent {
    const file = this.#readFile();
    return file.type === "read" ? file.content : NOTHING_TRUSTED;
  }

  #readFile(): TrustFile {
    const { signature } = this;
    if (this.#last !== undefined && isSameSignature(this.#last.signature, signature)) return this.#last.file;
    const file = readTrustFile(this.#path);
    this.#last = { signature, file };
    return file;
  }

  #write(content: TrustContent): void {
    replacePlainFile(this.#path, `${JSON.stringify(content, undefined, 2)}\n`);
    this.#last = undefined;
  }
}

/** The error in place of what needs to know what is trusted. */
export function trustUnknown(
  path: string,
  problem: string,
  context: { readonly hook?: string; readonly event?: EventName } = {},
): TenterhookError {
  const message = `it is not known what is trusted: ${path} cannot be used (${problem}).`;
  const hint = `Restore that file, or run ${typedCommand()} trust yourself in a terminal.`;
  return new TenterhookError("trust_unknown", message, { ...context, hint });
}

/** The project of a hook's folder, `<project>/.agents/hooks/<name>`. */
export function projectOf(folder: string): string {
  return dirname(dirname(dirname(folder)));
}

/**
 * A hook's folder with the symbolic links of its project's path resolved. Those below are not: a hook belongs to the project
 * that it is reached by, wherever its files are.
 */
function canonical(folder: string): string {
  const hooks = dirname(folder);
  return join(realPath(projectOf(folder)), basename(dirname(hooks)), basename(hooks), basename(folder));
}

/** A `.git` file is one line. */
const LONGEST_LINE = 4_096;

/**
 * The root of the repository that a folder is a linked worktree of; `undefined` for any other folder. Both must name each other: a
 * `.git` file alone could be written by anyone.
 */
function mainWorktreeOf(folder: string): string | undefined {
  const [, linked] = /^gitdir: (.+)$/m.exec(firstLine(join(folder, ".git")) ?? "") ?? [];
  if (linked === undefined) return undefined;
  const own = resolve(folder, linked);
  const back = firstLine(join(own, "gitdir"));
  if (back === undefined || realPath(resolve(own, back)) !== realPath(join(folder, ".git"))) return undefined;
  const shared = realPath(resolve(own, firstLine(join(own, "commondir")) ?? "../.."));
  return basename(shared) === ".git" ? dirname(shared) : undefined;
}

function firstLine(file: string): string | undefined {
  try {
    const text = readPlainFile(file);
    return text.length > LONGEST_LINE ? undefined : text.split("\n")[0]?.trim();
  } catch {
    return undefined;
  }
}

/** A folder and all that it lies in, as the path is written and without symbolic links. */
function foldersAround(cwd: string): ReadonlySet<string> {
  const around = new Set(realFoldersAround(cwd));
  for (const start of [resolve(cwd), realPath(cwd)]) {
    for (let folder = start; ; folder = dirname(folder)) {
      around.add(folder);
      if (dirname(folder) === folder) break;
    }
  }
  return around;
}

function without<T>(record: Readonly<Record<string, T>>, key: string | undefined): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

/** A hook as it was when it was trusted. Kept whole, because its file may be gone when a guard is needed. */
export interface TrustedHook {
  readonly folder: string;
  readonly hash: string;
  /** Of the interpreter that the hook names under `metadata.interpreter`, if it names one. */
  readonly interpreter?: string;
  readonly hook: HookFile;
  readonly trustedAt: string;
}

interface TrustContent {
  readonly version: 1;
  /** By folder. */
  readonly hooks: Readonly<Record<string, TrustedHook>>;
  /** The text of a project's hooks.toml as it was trusted, by its path. */
  readonly tomls: Readonly<Record<string, string>>;
}

/**
 * What the file says. `unknown`: there is a file, and it does not say what is trusted. That is not the same as nothing: a guard that
 * was trusted must not disappear with it.
 */
type TrustFile =
  | { readonly type: "read"; readonly content: TrustContent }
  | {
      readonly type: "unknown";
      readonly why: string;
      /** The file could not be read, and may be readable the next moment without being changed. */
      readonly mayPass: boolean;
    };

const NOTHING_TRUSTED: TrustContent = { version: 1, hooks: {}, tomls: {} };

/** Reads the file of what is trusted. It never throws. */
function readTrustFile(path: string): TrustFile {
  let bytes: Buffer;
  try {
    bytes = readPlainBytes(path);
  } catch (error) {
    if (isMissing(path, error)) return { type: "read", content: NOTHING_TRUSTED };
    return { type: "unknown", why: messageOf(error), mayPass: true };
  }
  try {
    return { type: "read", content: parse(bytes) };
  } catch (error) {
    return { type: "unknown", why: messageOf(error), mayPass: false };
  }
}

function parse(bytes: Buffer): TrustContent {
  // Otherwise a folder's name could be read as another one.
  if (!isUtf8(bytes)) throw new Error("it is not UTF-8 text");
  const content = parseJson(bytes.toString("utf8"));
  if (!isRecord(content)) throw new Error("it is not a JSON object");
  const { version, hooks, tomls } = content;
  if (typeof version === "number" && version > 1)
    throw new Error(`it was written by a newer version of Tenterhook (format ${version})`);
  if (version !== 1) throw new Error("it has no version");
  if (!isRecord(hooks)) throw new Error('its "hooks" are not an object');
  if (!isRecord(tomls)) throw new Error('its "tomls" are not an object');
  for (const [folder, entry] of Object.entries(hooks))
    if (!isTrustedHook(entry)) throw new Error(`its entry for ${JSON.stringify(folder)} is not a hook`);
  for (const [file, text] of Object.entries(tomls))
    if (typeof text !== "string") throw new Error(`its entry for ${JSON.stringify(file)} is not a text`);
  return withNormalNames(content as unknown as TrustContent);
}

/** A store from before names were compared by their normal form has them as they were written. */
function withNormalNames(content: TrustContent): TrustContent {
  if (Object.values(content.hooks).every(({ hook }) => normalName(hook.name) === hook.name)) return content;
  const hooks = Object.entries(content.hooks).map(
    ([folder, trusted]) =>
      [folder, { ...trusted, hook: { ...trusted.hook, name: normalName(trusted.hook.name) } }] as const,
  );
  return { ...content, hooks: Object.fromEntries(hooks) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message may quote any part of the file.
    throw new Error(text.trim() === "" ? "it is empty" : "it is not JSON");
  }
}

function isTrustedHook(entry: unknown): entry is TrustedHook {
  if (!isRecord(entry)) return false;
  const { folder, hash, interpreter, hook, trustedAt } = entry;
  return (
    [folder, hash, trustedAt].every((text) => typeof text === "string") &&
    isOptionalText(interpreter) &&
    isHookFile(hook)
  );
}

const EVENTS: ReadonlySet<unknown> = new Set(EVENT_NAMES);

/** Whether a value has all that is read of a hook. What a later version adds does no harm. */
function isHookFile(hook: unknown): hook is HookFile {
  if (!isRecord(hook)) return false;
  const { name, description, trigger, events, matcher, action } = hook;
  return (
    [name, description, trigger].every((text) => typeof text === "string") &&
    Array.isArray(events) &&
    events.every((event) => EVENTS.has(event)) &&
    isStoredMatcher(matcher) &&
    [hook.timeoutMs, hook.priority].every(Number.isFinite) &&
    (hook.mode === "sync" || hook.mode === "background") &&
    (hook.onError === "block" || hook.onError === "continue") &&
    [hook.always, hook.rejudge, hook.enforce ?? true].every((flag) => typeof flag === "boolean") &&
    (action === undefined ||
      (isRecord(action) &&
        (action.type === "block" || action.type === "ask") &&
        typeof action.reason === "string")) &&
    isRecord(hook.metadata)
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** Whether a project's hook may run. */
export type TrustStatus =
  | { readonly type: "trusted"; readonly trusted: TrustedHook }
  | { readonly type: "never_trusted" }
  /** What is trusted cannot be read. */
  | { readonly type: "unknown"; readonly why: string }
  | { readonly type: "changed"; readonly why: string; readonly trusted: TrustedHook };

/** Whether a hook could have refused an action. Observers, stop gates and hooks that are not enforced could not. */
export function couldRefuse(hook: Pick<HookFile, "mode" | "enforce">, event: EventName): boolean {
  return mayDecide(hook) && eventRow(event).guards === true;
}

/** Compares folders with the trust store. */
export class TrustChecker {
  readonly #store: TrustStore;
  readonly #hashes = new KnownHashes();

  constructor(store: TrustStore) {
    this.#store = store;
  }

  statusOf(folder: string): TrustStatus {
    const trusted = this.#store.get(folder);
    if (trusted === undefined) {
      const { problem } = this.#store;
      return problem === undefined ? { type: "never_trusted" } : { type: "unknown", why: problem };
    }
    try {
      const why = this.#whatChanged(folder, trusted);
      return why === undefined ? { type: "trusted", trusted } : { type: "changed", why, trusted };
    } catch (error) {
      return { type: "changed", why: `it can no longer be checked (${messageOf(error)})`, trusted };
    }
  }

  #whatChanged(folder: string, { hash, hook, interpreter: trusted }: TrustedHook): string | undefined {
    if (this.#hashes.of(folder) !== hash) return "it was changed since it was trusted";
    const interpreter = namedInterpreter(hook, folder);
    if (interpreter === undefined || fingerprintOf(interpreter, projectOf(folder)) === trusted)
      return undefined;
    return `its interpreter ${interpreter} was changed since it was trusted`;
  }
}

/** The interpreter that a hook names under `metadata.interpreter`: absolute, or in the project that the hook belongs to. */
export function namedInterpreter(
  { metadata }: Pick<HookFile, "metadata">,
  folder: string,
): string | undefined {
  const { interpreter } = metadata as { interpreter?: unknown };
  if (typeof interpreter !== "string") return undefined;
  return isAbsolute(interpreter) ? interpreter : join(projectOfHook(folder) ?? folder, interpreter);
}

/** The project of a hook's folder, `<project>/.agents/hooks/<name>`; absent for other folders. */
export function projectOfHook(folder: string): string | undefined {
  const hooks = dirname(folder);
  const agents = dirname(hooks);
  return basename(hooks) === "hooks" && basename(agents) === ".agents" ? dirname(agents) : undefined;
}
