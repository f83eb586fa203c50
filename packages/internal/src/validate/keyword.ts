import { isRecord } from "../values.ts";
import type { Check, SchemaNode } from "./schema-node.ts";

export interface LinearPattern {
  /** What a character of text costs, in steps. */
  readonly cost: number;
  test(text: string): boolean;
}

/** What a keyword is read with: its neighbours, and the schemas and patterns in it. Each method throws for what is malformed. */
export interface KeywordReader {
  readonly schema: Readonly<Record<string, unknown>>;
  node(schema: unknown, ...path: readonly (string | number)[]): SchemaNode;
  /** `undefined` for a pattern that is to be ignored. */
  pattern(source: unknown, ...path: readonly (string | number)[]): LinearPattern | undefined;
  malformed(wanted: string): Error;
}

/** Reads a keyword's value; `undefined` when there is nothing to check. */
export type Keyword = (value: unknown, read: KeywordReader) => Check | undefined;

export function schemasIn(value: unknown, read: KeywordReader): [string, SchemaNode][] {
  if (!isRecord(value)) throw read.malformed("an object of schemas");
  return Object.entries(value).map(([name, schema]) => [name, read.node(schema, name)]);
}

export function schemaList(value: unknown, read: KeywordReader): SchemaNode[] {
  if (!Array.isArray(value) || value.length === 0) throw read.malformed("a list of schemas");
  return value.map((schema, index) => read.node(schema, index));
}

export function names(value: unknown, read: KeywordReader): string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw read.malformed("a list of property names");
}

export function count(value: unknown, read: KeywordReader): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw read.malformed("a whole number that is not negative");
}

export function numeral(value: unknown, read: KeywordReader): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw read.malformed("a number");
}
