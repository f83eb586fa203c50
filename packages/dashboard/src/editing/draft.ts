import { isRecord } from "@tenterhook/internal";
import { parseJson } from "../components/parse-json.ts";
import { isSameJson, type JsonObject, valueAt, withValueAt } from "./json-object.ts";

/** What the user is editing. It may be invalid, and nothing that was typed is lost. */
export interface Draft {
  readonly value: JsonObject;
  /** JSON as it was typed, by the path of its field; the empty path is the whole. It may be invalid. */
  readonly texts: Readonly<Record<string, string>>;
  /** Values that a choice replaced, to be restored when the choice is undone. */
  readonly replaced: Readonly<Record<string, unknown>>;
}

export function draftOf(value: JsonObject): Draft {
  return { value, texts: {}, replaced: {} };
}

export function withField(draft: Draft, path: string, value: unknown): Draft {
  return { ...draft, value: withValueAt(draft.value, path, value) };
}

/** Stores the text of a JSON field, and its value when the text is valid. */
export function withText(draft: Draft, path: string, text: string): Draft {
  const read = readJson(path, text);
  const texts = { ...draft.texts, [path]: text };
  return read.problem === undefined ? { ...withField(draft, path, read.value), texts } : { ...draft, texts };
}

/** Discards the text of a field, which then shows its value again. */
export function withoutText(draft: Draft, path: string): Draft {
  const { [path]: _, ...texts } = draft.texts;
  return { ...draft, texts };
}

/** The text of a JSON field: as it was typed, unless the value has changed since. */
export function textAt(draft: Draft, path: string): { readonly text: string; readonly problem?: string } {
  const value = valueAt(draft.value, path);
  const typed = draft.texts[path];
  const written = value === undefined ? "" : JSON.stringify(value, undefined, 2);
  if (typed === undefined) return { text: written };
  const read = readJson(path, typed);
  if (read.problem !== undefined) return { text: typed, problem: read.problem };
  return { text: isSameJson(read.value, value) ? typed : written };
}

/** The fields whose text is not valid JSON, and why. */
export function invalidTexts(draft: Draft): { readonly path: string; readonly message: string }[] {
  return Object.entries(draft.texts).flatMap(([path, text]) => {
    const { problem } = readJson(path, text);
    return problem === undefined ? [] : [{ path, message: problem }];
  });
}

function readJson(path: string, text: string): ReturnType<typeof parseJson> {
  const isWhole = path === "";
  // An empty field has no value.
  if (text.trim() === "" && !isWhole) return { value: undefined };
  const read = parseJson(text);
  if (isWhole && read.problem === undefined && !isRecord(read.value)) {
    return { problem: "Not a JSON object: it must begin with {" };
  }
  return read;
}
