import { isUtf8 } from "node:buffer";
import { isRecord, messageOf } from "@tenterhook/internal";
import { isMissing, readPlainBytes } from "@tenterhook/internal/files";
import { EVENT_NAMES, type HookFile } from "@tenterhook/protocol";
import { normalName } from "@tenterhook/protocol/internal";
import { isStoredMatcher } from "../parse/matcher.ts";

/** A hook as it was when it was trusted. Kept whole, because its file may be gone when a guard is needed. */
export interface TrustedHook {
  readonly folder: string;
  readonly hash: string;
  /** Of the interpreter that the hook names under `metadata.interpreter`, if it names one. */
  readonly interpreter?: string;
  readonly hook: HookFile;
  readonly trustedAt: string;
}

export interface TrustContent {
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
export type TrustFile =
  | { readonly type: "read"; readonly content: TrustContent }
  | {
      readonly type: "unknown";
      readonly why: string;
      /** The file could not be read, and may be readable the next moment without being changed. */
      readonly mayPass: boolean;
    };

export const NOTHING_TRUSTED: TrustContent = { version: 1, hooks: {}, tomls: {} };

/** Reads the file of what is trusted. It never throws. */
export function readTrustFile(path: string): TrustFile {
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
