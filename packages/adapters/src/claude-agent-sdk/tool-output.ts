import { isRecord, messageOf } from "@tenterhook/internal";

/**
 * The result that replaces another one, in the shape of that tool: Claude Code ignores another shape without a message, and the
 * model reads the original. `undefined` if the value does not fit; then the result must be withheld.
 */
export function fitOutput(value: unknown, original: unknown): unknown {
  if (hasShapeOf(value, original)) return value;
  if (typeof value !== "string") return undefined;
  if (Array.isArray(original)) return [{ type: "text", text: value }];
  if (!isRecord(original)) return undefined;
  if (typeof original.stdout === "string") return { ...original, stdout: value, stderr: "" };
  const { file } = original;
  if (isRecord(file) && typeof file.content === "string")
    return { ...original, file: { ...file, content: value } };
  return undefined;
}

/** The result without any of its texts: each is the given one. Keys and types stay, so that the tool's own shape does. */
export function redactOutput(original: unknown, text: string): unknown {
  if (Array.isArray(original) || typeof original !== "object" || original === null) {
    return Array.isArray(original) ? [{ type: "text", text }] : text;
  }
  return redact(original, text);
}

function redact(value: unknown, text: string, key?: string): unknown {
  if (typeof value === "string") return key !== undefined && DISCRIMINATORS.has(key) ? value : text;
  if (Array.isArray(value)) return value.map((item) => redact(item, text));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redact(part, text, name)]));
}

/** Fields whose texts distinguish shapes: another text there is another shape. */
const DISCRIMINATORS = new Set(["type", "status", "mode", "media_type"]);

/**
 * Whether the model would read a result that was to be replaced: Claude Code has ignored the replacement. `rendered` is what the
 * model reads: lines of the original, maybe numbered, and none that only the replacement has.
 */
export function isIgnored(original: unknown, replacement: unknown, rendered: unknown): boolean {
  const before = new Set(readLines(original));
  const after = new Set(readLines(replacement));
  const shown = readLines(rendered).flatMap((line) => [line, line.replace(LINE_NUMBER, "").trim()]);
  return (
    shown.some((line) => before.has(line) && !after.has(line)) &&
    !shown.some((line) => after.has(line) && !before.has(line))
  );
}

const LINE_NUMBER = /^\d+\t/;

/** A value as the text that a model reads. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((part) => isRecord(part) && typeof part.text === "string"))
    return value.map(({ text }) => text).join("\n");
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    return messageOf(error);
  }
}

function hasShapeOf(value: unknown, original: unknown): boolean {
  if (Array.isArray(original)) return Array.isArray(value) && value.every(isRecord);
  if (isRecord(original)) {
    if (!isRecord(value)) return false;
    return Object.entries(original).every(
      ([key, part]) => part === undefined || (key in value && hasShapeOf(value[key], part)),
    );
  }
  return original === null || typeof value === typeof original;
}

function readLines(value: unknown): readonly string[] {
  return readTexts(value)
    .flatMap((text) => text.split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Every text in a value. */
function readTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(readTexts);
  return isRecord(value) ? Object.values(value).flatMap(readTexts) : [];
}
