import type { Text } from "./parameters.ts";

const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs;

/** The elements of an array of one dimension as PostgreSQL writes it: `{a,"b c",NULL}`. */
export function arrayTexts(text: string): Text[] {
  return Array.from(text.matchAll(ELEMENT), ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
    return bare === undefined || bare === "NULL" ? null : bare;
  });
}
