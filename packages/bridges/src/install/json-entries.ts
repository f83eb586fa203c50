import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { EntryForm } from "../definition/configuration.ts";
import { type Entry, listPath, ownCommandIn, ownEvent } from "./entry.ts";
import {
  appendMember,
  type JsonFormat,
  readJson,
  readStyle,
  removeMember,
  repeatedKey,
  replaceValue,
} from "./json-text.ts";

/** The result of an edit: the new text, and what it changes. */
export interface EditedEntries {
  readonly text: string;
  /** Containers that were made for our entries, outermost first. */
  readonly created: readonly (readonly string[])[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Why a file is left alone, as a sentence. */
export interface Untouched {
  readonly problem: string;
}

export interface EntriesIn {
  readonly client: string;
  readonly form: EntryForm;
  readonly format: JsonFormat;
}

/** An entry of ours and its position in the file. */
interface OwnEntry {
  readonly event: string;
  readonly command: string;
  readonly list: readonly string[];
  readonly index: number;
  /** The position of our handler in the entry, when other handlers share it. */
  readonly shared?: { readonly key: string; readonly index: number };
}

/** The text with exactly these entries of ours; present entries and everything else are kept. */
export function putJsonEntries(
  text: string,
  entries: readonly Entry[],
  at: EntriesIn,
): EditedEntries | Untouched {
  const read = readJson(text, at.format);
  if (typeof read === "string") return { problem: read };
  const problem = obstacle(read.tree, entries, at);
  if (problem !== undefined) return { problem };
  const changes = { added: [] as string[], changed: [] as string[], removed: [] as string[] };
  let now = text;
  for (const entry of entries) {
    const [first, ...more] = ownEntries(now, at).filter(({ event }) => event === entry.event);
    for (const extra of more.reverse()) now = withoutEntry(now, extra, at);
    if (first === undefined) continue;
    if (isDeepStrictEqual(valueAt(now, [...first.list, first.index], at), entry.value)) continue;
    if (first.shared !== undefined && isSharedUnchanged(now, first, entry, at)) continue;
    now = first.shared === undefined ? replaced(now, first, entry.value, at) : withoutEntry(now, first, at);
    if (first.shared === undefined) changes.changed.push(entry.event);
  }
  const installed = new Set(entries.map(({ event }) => event));
  for (const old of ownEntries(now, at)
    .filter(({ event }) => !installed.has(event))
    .reverse()) {
    now = withoutEntry(now, old, at);
    changes.removed.push(old.event);
  }
  const created: (readonly string[])[] = [];
  const present = new Set(ownEntries(now, at).map(({ event }) => event));
  for (const entry of entries.filter(({ event }) => !present.has(event))) {
    now = appended(now, listPath(at.form, entry.event), entry.value, at, created);
    changes.added.push(entry.event);
  }
  return { text: now, created, ...changes };
}

/** The text without our entries, and without the containers that were made for them and are empty now. */
export function takeJsonEntries(
  text: string,
  at: EntriesIn,
  created: readonly (readonly string[])[] = [],
): EditedEntries | Untouched {
  const read = readJson(text, at.format);
  if (typeof read === "string") return { problem: read };
  const removed: string[] = [];
  let now = text;
  for (const own of [...ownEntries(text, at)].reverse()) {
    now = withoutEntry(now, own, at);
    removed.push(own.event);
  }
  for (const path of [...created].reverse()) now = withoutEmpty(now, path, at);
  return { text: now, created: [], added: [], changed: [], removed: removed.reverse() };
}

/** Our entries as they stand in a text, in the order of the text. */
export function ownEntries(text: string, { client, form, format }: EntriesIn): readonly OwnEntry[] {
  const read = readJson(text, format);
  if (typeof read === "string") return [];
  return lists(read.value, form).flatMap(({ path, items }) =>
    items.flatMap((item, index): OwnEntry[] => {
      const command = ownCommandIn(client, item);
      const event = ownEvent(client, command);
      if (command === undefined || event === undefined) return [];
      const shared = sharedIn(client, item);
      return [{ event, command, list: path, index, ...(shared !== undefined && { shared }) }];
    }),
  );
}

/** The events at which entries of others follow ours: removing ours changes their index. */
export function eventsMovedWithout(text: string, at: EntriesIn): readonly string[] {
  const read = readJson(text, at.format);
  if (typeof read === "string") return [];
  const all = lists(read.value, at.form);
  const moved = ownEntries(text, at).filter(({ list, index, shared }) => {
    const items = all.find(({ path }) => path.join("\0") === list.join("\0"))?.items ?? [];
    if (shared === undefined)
      return items.slice(index + 1).some((item) => ownCommandIn(at.client, item) === undefined);
    const handlers = (items[index] as Readonly<Record<string, unknown>>)[shared.key] as readonly unknown[];
    return shared.index < handlers.length - 1;
  });
  return [...new Set(moved.map(({ list }) => list.at(-1) ?? ""))];
}

/** All lists that contain entries of hooks. */
export function lists(
  value: unknown,
  { at }: EntryForm,
): readonly { readonly path: readonly string[]; readonly items: readonly unknown[] }[] {
  let found: { path: readonly string[]; value: unknown }[] = [{ path: [], value }];
  for (const key of at) {
    found = found.flatMap(({ path, value: each }) => {
      if (typeof each !== "object" || each === null || Array.isArray(each)) return [];
      const keys = key === "$event" ? Object.keys(each) : Object.hasOwn(each, key) ? [key] : [];
      return keys.map((name) => ({
        path: [...path, name],
        value: (each as Readonly<Record<string, unknown>>)[name],
      }));
    });
  }
  return found.flatMap(({ path, value: items }) => (Array.isArray(items) ? [{ path, items }] : []));
}

/** Why entries cannot be added: a value of another type is in their place. */
function obstacle(tree: Node, entries: readonly Entry[], { form }: EntriesIn): string | undefined {
  if (tree.type !== "object") return "it contains no object";
  for (const { event } of entries) {
    const path = listPath(form, event);
    const twice = repeatedKey(tree, path);
    if (twice !== undefined) return `it has the key "${twice}" twice, and only one of them counts`;
    for (let length = 1; length <= path.length; length++) {
      const node = findNodeAtLocation(tree, path.slice(0, length));
      const type = length === path.length ? "array" : "object";
      if (node !== undefined && node.type !== type)
        return `"${path.slice(0, length).join(".")}" is no ${type === "array" ? "list" : "object"}`;
    }
  }
  return undefined;
}

function appended(
  text: string,
  path: readonly string[],
  value: unknown,
  { format }: EntriesIn,
  created: (readonly string[])[],
): string {
  const tree = parseTree(text, format);
  let depth = path.length;
  while (depth > 0 && findNodeAtLocation(tree, path.slice(0, depth)) === undefined) depth--;
  const parent = depth === 0 ? tree : findNodeAtLocation(tree, path.slice(0, depth));
  if (parent === undefined) return text;
  const style = readStyle(text);
  if (depth === path.length) return appendMember(text, parent, { value }, style);
  for (let length = depth + 1; length <= path.length; length++) created.push(path.slice(0, length));
  const nested = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), [value]);
  return appendMember(text, parent, { key: path[depth] ?? "", value: nested }, style);
}

function replaced(text: string, { list, index }: OwnEntry, value: unknown, { format }: EntriesIn): string {
  const node = findNodeAtLocation(parseTree(text, format), [...list, index]);
  return node === undefined ? text : replaceValue(text, node, value, readStyle(text));
}

function withoutEntry(text: string, { list, index, shared }: OwnEntry, { format }: EntriesIn): string {
  const path = shared === undefined ? list : [...list, index, shared.key];
  const node = findNodeAtLocation(parseTree(text, format), [...path]);
  return node === undefined ? text : removeMember(text, node, shared?.index ?? index);
}

function withoutEmpty(text: string, path: readonly string[], { format }: EntriesIn): string {
  const tree = parseTree(text, format);
  const node = findNodeAtLocation(tree, [...path]);
  if (node === undefined || (node.children?.length ?? 0) > 0) return text;
  // A container with a comment is kept: a person wrote it.
  if (text.slice(node.offset + 1, node.offset + node.length - 1).trim() !== "") return text;
  const owner = path.length === 1 ? tree : findNodeAtLocation(tree, path.slice(0, -1));
  const index = owner?.children?.indexOf(node.parent as Node) ?? -1;
  return owner === undefined || index < 0 ? text : removeMember(text, owner, index);
}

/** The list inside an entry in which our handler has neighbours. */
function sharedIn(client: string, item: unknown): OwnEntry["shared"] {
  if (typeof item !== "object" || item === null) return undefined;
  for (const [key, part] of Object.entries(item)) {
    if (!Array.isArray(part) || part.length < 2) continue;
    const index = part.findIndex((handler) => ownCommandIn(client, handler) !== undefined);
    if (index >= 0) return { key, index };
  }
  return undefined;
}

/** Whether a person has only put our handler beside others, and the rest of the entry is the same. */
function isSharedUnchanged(
  text: string,
  { list, index, shared }: OwnEntry,
  entry: Entry,
  at: EntriesIn,
): boolean {
  if (shared === undefined) return false;
  const item = valueAt(text, [...list, index], at) as Readonly<Record<string, unknown>>;
  const handler = (item[shared.key] as readonly unknown[])[shared.index];
  return isDeepStrictEqual({ ...item, [shared.key]: [handler] }, entry.value);
}

function valueAt(text: string, path: readonly (string | number)[], { format }: EntriesIn): unknown {
  const read = readJson(text, format);
  if (typeof read === "string") return undefined;
  let value = read.value;
  for (const key of path) value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[key];
  return value;
}

function parseTree(text: string, format: JsonFormat): Node {
  const read = readJson(text, format);
  if (typeof read === "string") throw new Error(`an edit made JSON unreadable: ${read}`);
  return read.tree;
}
