import { isJsonObject, isSameJson, type JsonObject, valueAt, withValueAt } from "./json-object.ts";

/** What somebody is writing. It need make no sense yet, and nothing of it gets lost on the way. */
export interface Draft {
  readonly value: JsonObject;
  /** JSON as it was typed, by the path of its field; the empty path is the whole. It may be no JSON yet. */
  readonly texts: Readonly<Record<string, string>>;
  /** What a choice replaced, to be there again when the choice is taken back. */
  readonly aside: Readonly<Record<string, unknown>>;
}

export function draftOf(value: JsonObject): Draft {
  return { value, texts: {}, aside: {} };
}

export function withField(draft: Draft, path: string, value: unknown): Draft {
  return { ...draft, value: withValueAt(draft.value, path, value) };
}

/** Remembers what was typed into a field of JSON; the field has its value as soon as that can be read. */
export function withText(draft: Draft, path: string, text: string): Draft {
  const read = readJson(path, text);
  const texts = { ...draft.texts, [path]: text };
  return read.problem === undefined ? { ...withField(draft, path, read.value), texts } : { ...draft, texts };
}

/** Forgets what was typed into a field, which then shows its value again. */
export function withoutText(draft: Draft, path: string): Draft {
  const { [path]: _, ...texts } = draft.texts;
  return { ...draft, texts };
}

/** What a field of JSON shows: what was typed, unless its value has become another since. */
export function textAt(draft: Draft, path: string): { readonly text: string; readonly problem?: string } {
  const value = valueAt(draft.value, path);
  const typed = draft.texts[path];
  const written = value === undefined ? "" : JSON.stringify(value, undefined, 2);
  if (typed === undefined) return { text: written };
  const read = readJson(path, typed);
  if (read.problem !== undefined) return { text: typed, problem: read.problem };
  return { text: isSameJson(read.value, value) ? typed : written };
}

/** The fields whose text is no JSON yet, and why. */
export function unreadTexts(draft: Draft): { readonly path: string; readonly message: string }[] {
  return Object.entries(draft.texts).flatMap(([path, text]) => {
    const { problem } = readJson(path, text);
    return problem === undefined ? [] : [{ path, message: problem }];
  });
}

function readJson(path: string, text: string): { readonly value?: unknown; readonly problem?: string } {
  const isWhole = path === "";
  // A field may be empty: then it is not there.
  if (text.trim() === "" && !isWhole) return { value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    if (isWhole && !isJsonObject(value)) return { problem: "That is no JSON object: it begins with {" };
    return { value };
  } catch (error) {
    return { problem: `That is no JSON yet: ${error instanceof Error ? error.message : String(error)}` };
  }
}
