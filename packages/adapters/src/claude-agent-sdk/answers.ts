import { isRecord, messageOf } from "@tenterhook/internal";
import type { HookAnswer } from "./sdk-types.ts";

/** Refuses a tool call. The model reads the reason after `PreToolUse:<tool> hook error: `. */
export function deny(reason: string, context: readonly string[] = []): HookAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
      ...addedContext(context),
    },
  };
}

/** Ends the agent. In `PreToolUse` this alone would still run the tool: `denyAndStop`. */
export function stopAgent(reason: string): HookAnswer {
  return { continue: false, stopReason: reason };
}

/** Refuses a tool call and ends the agent. */
export function denyAndStop(reason: string): HookAnswer {
  return { ...deny(reason), ...stopAgent(reason) };
}

/** Refuses a prompt, so that no model is called. */
export function refusePrompt(reason: string): HookAnswer {
  return {
    decision: "block",
    reason,
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", suppressOriginalPrompt: true },
  };
}

/** Keeps the agent running; the model reads the feedback. */
export function keepRunning(feedback: string): HookAnswer {
  return { decision: "block", reason: feedback };
}

/** The field with the context that hooks added, if there is any. */
export function addedContext(context: readonly string[]): { additionalContext?: string } {
  return context.length === 0 ? {} : { additionalContext: context.join("\n") };
}

/** Withholds a result: the reason stands wherever it had a text. `decision: "block"` would withhold nothing. */
export function withhold(original: unknown, reason: string, context: readonly string[] = []): HookAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: "PostToolUse",
      updatedToolOutput: redactOutput(original, reason),
      ...addedContext(context),
    },
  };
}

/** Replaces a result by that of hooks: withheld where it does not have the shape of its tool, and then it is context. */
export function replaceOutput(value: unknown, original: unknown, context: readonly string[]): HookAnswer {
  if (value === original)
    return { hookSpecificOutput: { hookEventName: "PostToolUse", ...addedContext(context) } };
  const output = fitOutput(value, original);
  if (output === undefined)
    return withhold(original, "The result was replaced.", [...context, `The result is: ${toText(value)}`]);
  return {
    hookSpecificOutput: {
      hookEventName: "PostToolUse",
      updatedToolOutput: output,
      ...addedContext(context),
    },
  };
}

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
  if (Array.isArray(original)) return [{ type: "text", text }];
  return isRecord(original) ? redact(original, text) : text;
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
