import { checkJson, JSON_DOCUMENT_LIMITS } from "@tenterhook/internal";

/**
 * A value as JSON that a database can store. Tools print bytes and cut texts in the middle of a character, and PostgreSQL
 * takes neither NUL nor half a surrogate pair: one such character would make a whole report impossible. Throws `json_limit`
 * for a value beyond the limits; `what` names it in the error.
 */
export function storableJson(value: unknown, what = "the value"): string {
  checkJson(value, what, JSON_DOCUMENT_LIMITS);
  return storableText(JSON.stringify(value));
}

/** JSON that a database can store, from any that `JSON.stringify` has written; the same text if nothing has to be replaced. */
export function storableText(json: string): string {
  // Whole pairs are written as they are, so whatever is escaped here is half of one. Escaped backslashes are stepped over.
  return json.includes("\\u") ? json.replace(/\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g, replaced) : json;
}

function replaced(escaped: string): string {
  return escaped === "\\\\" ? escaped : "\\ufffd";
}
