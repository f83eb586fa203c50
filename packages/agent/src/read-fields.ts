import { didYouMean, isRecord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** What a field of a configuration may contain. */
export interface FieldKind<T> {
  readonly accepts: (value: unknown) => boolean;
  /** The end of the sentence "it must be …". */
  readonly what: string;
  /** Only for its type. */
  readonly type?: T;
}

export const ANYTHING: FieldKind<unknown> = { accepts: () => true, what: "anything" };
export const TEXT: FieldKind<string> = { accepts: isText, what: "a text" };
export const FLAG: FieldKind<boolean> = {
  accepts: (value) => typeof value === "boolean",
  what: "true or false",
};
export const COUNT: FieldKind<number> = {
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  what: "a whole number",
};
export const LIST: FieldKind<readonly unknown[]> = { accepts: Array.isArray, what: "a list" };
export const TEXTS: FieldKind<readonly string[]> = {
  accepts: (value) => Array.isArray(value) && value.every(isText),
  what: "a list of texts",
};
export const TEXTS_BY_NAME: FieldKind<Readonly<Record<string, string>>> = {
  accepts: (value) => isRecord(value) && Object.values(value).every(isText),
  what: "an object of texts",
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}

type FieldsOf<Kinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends FieldKind<infer T> ? T | undefined : never;
};

/**
 * The fields of a configuration object, each of its kind or absent. `where` names the object in errors: `model`, `script turn 2`. Errors
 * name the wrong field but never its value, because secrets may have been put into the wrong field.
 */
export function readFields<Kinds extends Readonly<Record<string, FieldKind<unknown>>>>(
  where: string,
  value: unknown,
  kinds: Kinds,
): FieldsOf<Kinds> {
  if (!isRecord(value)) throw badConfig(`${where} must be an object, not ${typeName(value)}.`);
  const known = Object.keys(kinds);
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const kind = known.includes(name) ? kinds[name] : undefined;
    if (kind === undefined) {
      const hint = didYouMean(name, known, `The fields are ${known.join(", ")}.`);
      throw badConfig(`${where} has no field "${name}".`, hint);
    }
    if (!kind.accepts(part)) throw badConfig(`${where}: ${name} must be ${kind.what}.`);
  }
  // Each field was checked above, which TypeScript cannot follow.
  return value as FieldsOf<Kinds>;
}

/** The text of a field that must have one. */
export function requireText(where: string, name: string, text: string | undefined): string {
  if (text === undefined || text === "") throw badConfig(`${where} needs "${name}", a text.`);
  return text;
}

export function badConfig(message: string, hint?: string): TenterhookError {
  return new TenterhookError("bad_agent", message, { hint });
}

/** The type of a value, for errors. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
