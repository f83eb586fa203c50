import { setField } from "@tenterhook/internal";

/** Nested further than anything an event carries; what lies deeper is not printed. */
const DEEPEST = 256;

/** Any value as JSON can represent it: cycles, big numbers, errors and functions become words. */
export function printable(value: unknown, above: readonly object[] = []): unknown {
  switch (typeof value) {
    case "bigint":
      return `${value}n`;
    case "function":
    case "symbol":
      return `[${typeof value}]`;
    case "object":
      return value === null ? null : printableObject(value, above);
    default:
      return value;
  }
}

function printableObject(value: object, above: readonly object[]): unknown {
  if (above.includes(value)) return "[circular]";
  if (above.length >= DEEPEST) return "[too deep]";
  const path = [...above, value];
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (Array.isArray(value)) return value.map((item) => printable(item, path));
  if (value instanceof Map) return printable([...value], path);
  if (value instanceof Set) return printable([...value], path);
  const result: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) setField(result, key, printable(part, path));
  return result;
}
