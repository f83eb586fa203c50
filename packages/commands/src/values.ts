/*
 * A value is a string in which characters of the private use area stand for what is not known. So values can be joined, split, searched and given to
 * the parser again, and an unknown part is never an empty string. A line that has these characters itself is read as not knowing them.
 */
import type { ContentClass } from "./effects.ts";

/** Any text. */
export const UNKNOWN = "\uE000";
/** Any text, of a class. */
export const CLASSES: Readonly<Record<ContentClass, string>> = {
  secret: "\uE001",
  environment: "\uE002",
  folder: "\uE003",
  remote: "\uE004",
  decoded: "\uE005",
  connection: "\uE006",
};
/** What a person types, as it comes in, and after a program has passed it on. */
export const TERMINAL = "\uE021";
export const TYPED = "\uE009";
/** What a file has that was there before. */
export const FILE = "\uE008";
/** As a name in a path: any folders. */
export const ANY_FOLDERS = "\uE007";
/** `*`, `?` and `[` which the shell fills in; those that are quoted stay as they are. */
export const STAR = "\uE010";
export const QUESTION = "\uE011";
export const BRACKET = "\uE012";

/** Between the elements of an array. */
export const ELEMENT = "\uE020";

const UNKNOWNS = /[\uE000-\uE00F]/;
const ALL_UNKNOWNS = /[\uE000-\uE00F]/g;
const GLOBS = /[\uE010-\uE012]/;
const ALL_GLOBS = /[\uE010-\uE012]/g;
const PLAIN: Readonly<Record<string, string>> = { [STAR]: "*", [QUESTION]: "?", [BRACKET]: "[" };

/** Whether all of a value is known, names that the shell fills in apart. */
export function isKnown(value: string): boolean {
  return !UNKNOWNS.test(value);
}

export function isGlob(value: string): boolean {
  return GLOBS.test(value);
}

export function carries(value: string, content: ContentClass): boolean {
  return value.includes(CLASSES[content]);
}

/** What is not known of a value, each once: what a program prints that makes something else of it. */
export function unknownParts(value: string): string {
  return isKnown(value) ? "" : [...new Set(value.match(ALL_UNKNOWNS))].join("");
}

export function isTyped(value: string): boolean {
  return value.includes(TERMINAL) || value.includes(TYPED);
}

/** As the line has it: for messages, and for programs that get a pattern. */
export function written(value: string): string {
  return value.replace(ALL_GLOBS, (each) => PLAIN[each] ?? "").replace(/[\uE000-\uE00F\uE021]+/g, "…");
}

/** As a program prints it that gets it as an argument: which names the shell has filled in is not known. */
export function printed(value: string): string {
  return isGlob(value) ? UNKNOWN + unknownParts(value) : value;
}

/** A line as it comes in from outside. */
export function withoutMarkers(line: string): string {
  return line.replace(/[\uE000-\uE0FF]/g, UNKNOWN);
}
