import { isRecord } from "@tenterhook/internal";
import type { Redactor } from "./redactor.ts";
import { redactDeep } from "./value.ts";

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
