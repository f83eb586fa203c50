import { isRecord } from "@tenterhook/internal";
import { isSecretName, type RedactOptions, Redactor } from "./redactor.ts";

/** The text with everything sensitive replaced. Throws `bad_hook` or `bad_pattern` for options that cannot be used. */
export function redactText(text: string, options: RedactOptions = DEFAULTS): string {
  return redactorFor(options).text(text, new Map());
}

/** A copy of plain data with everything sensitive replaced; the value itself when there is nothing. */
export function redactValue<T>(value: T, options: RedactOptions = DEFAULTS): T {
  // Strings become other strings and the rest keeps its shape, so the type stays true but for literal types.
  return redactDeep(value, redactorFor(options), new Map()) as T;
}

const DEFAULTS: RedactOptions = {};
const redactors = new WeakMap<RedactOptions, Redactor>();

/** Compiled once for every options object. */
function redactorFor(options: RedactOptions): Redactor {
  const known = redactors.get(options);
  if (known !== undefined) return known;
  const made = new Redactor(options);
  redactors.set(options, made);
  return made;
}

/** Nested further than anything a tool returns; what lies deeper is replaced unread. */
const DEEPEST = 256;

/**
 * The value with every string in it redacted, keys included, and fields with a secret's name as a whole. Nothing is
 * changed in place: a value in which nothing was found is returned itself, any other as a copy. Cycles are kept.
 * Dates, buffers, maps, sets and functions are passed on as they are.
 */
export function redactDeep(value: unknown, redactor: Redactor, findings: Map<string, number>): unknown {
  const found = new Map<string, number>();
  const copy = copied(value, redactor, found, new Map(), DEEPEST);
  if (found.size === 0) return value;
  for (const [kind, count] of found) findings.set(kind, (findings.get(kind) ?? 0) + count);
  return copy;
}

type Copies = Map<object, unknown>;

function copied(
  value: unknown,
  redactor: Redactor,
  found: Map<string, number>,
  copies: Copies,
  depth: number,
): unknown {
  if (typeof value === "string") return redactor.text(value, found);
  if (typeof value !== "object" || value === null || isOpaque(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (depth === 0) {
    found.set("depth", (found.get("depth") ?? 0) + 1);
    return "[redacted:depth]";
  }
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value) list.push(copied(item, redactor, found, copies, depth - 1));
    return list;
  }
  const copy: object = Object.create(Object.getPrototypeOf(value) as object | null);
  copies.set(value, copy);
  const taken = new Map<string, number>();
  for (const key of listKeys(value)) {
    const part: unknown = (value as Record<string, unknown>)[key];
    const isSecret = typeof part === "string" && redactor.readsNames && isSecretName(key);
    const safe = isSecret
      ? redactor.whole(part, "secret", found)
      : copied(part, redactor, found, copies, depth - 1);
    // Defined, not assigned: a model may well name a field `__proto__`, and a class may have a setter of that name.
    Object.defineProperty(copy, unique(redactor.text(key, found), taken), {
      value: safe,
      enumerable: Object.prototype.propertyIsEnumerable.call(value, key),
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

function isOpaque(value: object): boolean {
  return (
    value instanceof Date ||
    value instanceof RegExp ||
    value instanceof Map ||
    value instanceof Set ||
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer
  );
}

/** An error's message and stack are not enumerable, and are text like any other. */
function listKeys(value: object): readonly string[] {
  return value instanceof Error ? Object.getOwnPropertyNames(value) : Object.keys(value);
}

/** Two keys may become the same when what distinguishes them is masked; the second gets a number. */
function unique(key: string, taken: Map<string, number>): string {
  const count = (taken.get(key) ?? 0) + 1;
  taken.set(key, count);
  return count === 1 ? key : unique(`${key}#${count}`, taken);
}

type Fields = Readonly<Record<string, unknown>>;

/** What tools answered, in the spellings of the providers. */
const RESULT_PARTS = new Set(["tool_result", "tool-result"]);
const RESULT_FIELDS = ["content", "output", "result"];

/**
 * Messages with their text redacted: plain content, text parts, and what tools answered. Everything else that a part
 * carries (ids, images, signatures) must reach the provider as it is.
 */
export function redactMessages(
  messages: unknown,
  redactor: Redactor,
  findings: Map<string, number>,
): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: unknown) =>
    isRecord(message)
      ? withField(message, "content", redactedContent(message.content, redactor, findings))
      : message,
  );
}

function redactedContent(content: unknown, redactor: Redactor, findings: Map<string, number>): unknown {
  if (typeof content === "string") return redactor.text(content, findings);
  if (!Array.isArray(content)) return content;
  const parts = content.map((part: unknown) => redactedPart(part, redactor, findings));
  return parts.every((part, index) => part === content[index]) ? content : parts;
}

function redactedPart(part: unknown, redactor: Redactor, findings: Map<string, number>): unknown {
  if (typeof part === "string") return redactor.text(part, findings);
  if (!isRecord(part)) return part;
  const { type, text } = part;
  if (type === "text" && typeof text === "string")
    return withField(part, "text", redactor.text(text, findings));
  if (typeof type !== "string" || !RESULT_PARTS.has(type)) return part;
  return RESULT_FIELDS.reduce(
    (result, field) => withField(result, field, redactDeep(result[field], redactor, findings)),
    part,
  );
}

function withField(fields: Fields, field: string, value: unknown): Fields {
  return fields[field] === value ? fields : { ...fields, [field]: value };
}
