import { isRecord } from "@tenterhook/internal";
import type { Template } from "../../definition/answers.ts";

/** The values for the holes of a template. */
export interface Fillings {
  readonly event: string;
  readonly reason?: string | undefined;
  readonly context?: string | undefined;
  readonly note?: string | undefined;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly command?: string;
  readonly timeout?: number;
  readonly matcher?: string | undefined;
}

/** A template with its holes filled; a key whose hole has no value is left out. */
export function fill(template: Template, fillings: Fillings): unknown {
  if (typeof template === "string") return hole(template, fillings);
  if (typeof template !== "object" || template === null) return template;
  if (Array.isArray(template)) return template.map((part: Template) => fill(part, fillings));
  return Object.fromEntries(
    Object.entries(template)
      .map(([key, part]) => [key, fill(part, fillings)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

const HOLES = new Set([
  ...["event", "reason", "context", "note", "input", "result"],
  ...["command", "timeout", "matcher"],
]);

function hole(text: string, fillings: Fillings): unknown {
  const name = text.slice(1);
  return text.startsWith("$") && HOLES.has(name) ? fillings[name as keyof Fillings] : text;
}

/** Two answers as one: objects are merged, and of two texts one follows the other. */
export function combined(one: unknown, other: unknown): unknown {
  return typeof one === "string" && typeof other === "string" ? `${one}\n\n${other}` : merged(one, other);
}

/** Two objects merged into one, recursively. */
function merged(one: unknown, other: unknown): unknown {
  if (!isRecord(one) || !isRecord(other)) return other ?? one;
  const result: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) result[key] = merged(result[key], value);
  return result;
}
