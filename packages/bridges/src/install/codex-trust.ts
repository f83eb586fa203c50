import { createHash } from "node:crypto";
import { canonicalJson, withoutBom } from "@tenterhook/internal";
import { realPath } from "@tenterhook/internal/files";
import type { EntryForm } from "../definition/configuration.ts";
import { lists, ownEntries } from "./json-entries.ts";
import { readJson } from "./json-text.ts";
import { appendedSection, readToml, TOML_COMMENT } from "./toml-entries.ts";
import { tomlSections, withoutSections } from "./toml-sections.ts";

/** An entry that Codex runs only while this hash is recorded under this key. */
export interface TrustedEntry {
  readonly event: string;
  readonly key: string;
  readonly hash: string;
}

interface Handler {
  readonly type?: string;
  readonly command?: string;
  readonly commandWindows?: string;
  readonly timeout?: number;
  readonly async?: boolean;
  readonly statusMessage?: string;
  readonly additionalContextLimit?: number;
}

interface Group {
  readonly matcher?: string;
  readonly hooks?: readonly Handler[];
}

/** Codex ignores the matcher of these, and leaves it out of the hash. */
const UNMATCHED = new Set(["UserPromptSubmit", "Stop"]);

/** The hash that Codex computes of a handler: its canonical form as JSON with sorted keys. Measured with 0.166.0. */
export function codexHash(event: string, matcher: string | undefined, handler: Handler): string {
  const configured = handler.timeout;
  const timeout =
    event === "SessionEnd" ? Math.min(3, Math.max(1, configured ?? 1)) : Math.max(1, configured ?? 600);
  const identity = canonicalJson({
    event_name: snakeCase(event),
    matcher: UNMATCHED.has(event) ? undefined : matcher,
    hooks: [{ ...handler, timeout, async: handler.async ?? false }],
  });
  return `sha256:${createHash("sha256").update(identity).digest("hex")}`;
}

/** What Codex must have recorded for the entries of ours that a hooks.json has now. */
export function codexTrust(path: string, written: string, form: EntryForm): readonly TrustedEntry[] {
  const text = withoutBom(written);
  const own = ownEntries(text, { client: "codex", form, format: "json" });
  const read = readJson(text, "json");
  if (typeof read === "string") return [];
  const all = lists(read.value, form);
  return own.flatMap(({ list, index, shared }) => {
    const event = list.at(-1) ?? "";
    const items = all.find(({ path: at }) => at.join() === list.join())?.items as
      | readonly Group[]
      | undefined;
    const group = items?.[index];
    const at = shared?.index ?? 0;
    const handler = group?.hooks?.[at];
    if (handler === undefined) return [];
    const hash = codexHash(event, group?.matcher, handler);
    return listNames(path).map((file) => ({
      event,
      key: `${file}:${snakeCase(event)}:${index}:${at}`,
      hash,
    }));
  });
}

/** The text of config.toml with these hashes recorded; a problem when it cannot be written there. */
export function putCodexTrust(
  text: string,
  trust: readonly TrustedEntry[],
): { readonly text: string; readonly changed: readonly string[] } | { readonly problem: string } {
  const read = readToml(text);
  if (typeof read === "string") return { problem: read };
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  let now = text;
  const changed: string[] = [];
  for (const { key, hash } of trust) {
    if (recordedHash(now, key) === hash) continue;
    changed.push(key);
    const section = tomlSections(now).find(({ header }) => readKey(header) === key);
    if (section === undefined) {
      now = appendedSection(now, `[hooks.state.${JSON.stringify(key)}]`, { trusted_hash: hash }, eol);
      continue;
    }
    const body = now.slice(section.start, section.end);
    const line = `trusted_hash = ${JSON.stringify(hash)}`;
    const replaced = /^[ \t]*trusted_hash[ \t]*=.*$/m.test(body)
      ? body.replace(/^([ \t]*)trusted_hash[ \t]*=[^\r\n]*/m, (_, indent: string) => indent + line)
      : `${body}${eol}${line}`;
    now = now.slice(0, section.start) + replaced + now.slice(section.end);
  }
  const wrong = trust.find(({ key, hash }) => recordedHash(now, key) !== hash);
  if (wrong !== undefined)
    return { problem: `its [hooks.state] is written in a way that ${wrong.key} cannot be added to` };
  return { text: now, changed };
}

/** The text of config.toml without what was recorded for some keys. */
export function takeCodexTrust(text: string, trust: readonly Pick<TrustedEntry, "key" | "hash">[]): string {
  const keys = new Map(trust.map(({ key, hash }) => [key, hash]));
  const own = tomlSections(text).filter(({ header }) => {
    const key = readKey(header);
    return key !== undefined && keys.has(key) && recordedHash(text, key) === keys.get(key);
  });
  return own.length === 0 ? text : withoutSections(text, own, TOML_COMMENT);
}

/** Why Codex would skip our entries, in sentences: nothing is recorded, or an earlier entry is. */
export function codexTrustProblems(config: string, trust: readonly TrustedEntry[]): readonly string[] {
  const read = readToml(config);
  if (typeof read === "string") return [`config.toml cannot be read: ${read}`];
  const state = readStates(read);
  const events = new Set(trust.map(({ event }) => event));
  return [...events].flatMap((event) => {
    const entries = trust.filter((each) => each.event === event);
    if (entries.some(({ key, hash }) => state[key]?.trusted_hash === hash)) return [];
    const isKnown = Object.values(state).some(({ trusted_hash: hash }) => hash === entries[0]?.hash);
    return [
      isKnown
        ? `${event} has moved in hooks.json since it was trusted, and Codex skips it silently`
        : `Codex does not trust ${event}, and skips it silently`,
    ];
  });
}

/** The events whose entries are turned off. */
export function codexTurnedOff(config: string, trust: readonly TrustedEntry[]): readonly string[] {
  const read = readToml(config);
  const state = typeof read === "string" ? {} : readStates(read);
  return [...new Set(trust.filter(({ key }) => state[key]?.enabled === false).map(({ event }) => event))];
}

function recordedHash(text: string, key: string): string | undefined {
  const read = readToml(text);
  return typeof read === "string" ? undefined : readStates(read)[key]?.trusted_hash;
}

type HookStates = Readonly<Record<string, { readonly trusted_hash?: string; readonly enabled?: boolean }>>;

function readStates(config: Readonly<Record<string, unknown>>): HookStates {
  const { hooks } = config as { readonly hooks?: { readonly state?: HookStates } };
  return Object(hooks?.state) as HookStates;
}

/** The key of `[hooks.state."…"]`. */
function readKey(header: string): string | undefined {
  const read = readToml(header);
  return typeof read === "string" || !/^\[\s*hooks\s*\./.test(header)
    ? undefined
    : Object.keys(readStates(read))[0];
}

/** A file as it is written, and without symbolic links: Codex resolves its folder only when a variable names it. */
function listNames(path: string): readonly string[] {
  return [...new Set([path, realPath(path)])];
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])([A-Z])/g, "_$1").toLowerCase();
}
