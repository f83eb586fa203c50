import { checkJson, findInexactNumber, JSON_DOCUMENT_LIMITS } from "@tenterhook/internal";
import { type EventName, type Outcome, type Payload, reasonOf, TenterhookError } from "@tenterhook/protocol";
import { toWire } from "@tenterhook/protocol/internal";

/** Indentation may make an event many times as long; a longer one than this has one line for each of its own fields. */
const LONGEST_INDENTED = 256 * 1024;

/**
 * An event as a script reads it on its standard input: JSON with one field a line, so that grep and cut find things in
 * it, the fields that every event has first, and `context` last. Throws `json_limit` for an event beyond the limits.
 */
export function stdinEvent<E extends EventName>(
  event: E,
  payload: Payload<E>,
  { workDir, outcome }: { readonly workDir: string; readonly outcome?: Outcome | undefined },
): string {
  const { event_type, timestamp, session_id, work_dir, context, ...rest } = toWire(event, payload);
  const complete = {
    event_type,
    timestamp: timestamp ?? new Date().toISOString(),
    session_id: session_id ?? "",
    work_dir: work_dir ?? workDir,
    ...rest,
    // Only for hooks with `always`.
    ...(outcome !== undefined && { outcome: outcome.type, reason: reasonOf(outcome) }),
    context: context ?? {},
  };
  const bytes = checkJson(complete, "the event", JSON_DOCUMENT_LIMITS);
  checkNumbers((complete as { readonly tool_input?: unknown }).tool_input);
  if (bytes <= LONGEST_INDENTED) return `${JSON.stringify(complete, undefined, 2)}\n`;
  const fields = Object.entries(complete)
    .map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)])
    .filter(([, json]) => json !== undefined);
  return `{\n${fields.map((field) => `  ${field.join(": ")}`).join(",\n")}\n}\n`;
}

/** A number that is too large for a double would be written as `null`, and a guard would check that. */
function checkNumbers(input: unknown): void {
  const found = findInexactNumber(input, INFINITE);
  if (found === undefined) return;
  throw new TenterhookError(
    "json_limit",
    `tool_input${found.path} is a number beyond the largest that JSON can be written with here.`,
  );
}

const INFINITE = new Map([
  [Number.POSITIVE_INFINITY, "Infinity"],
  [Number.NEGATIVE_INFINITY, "-Infinity"],
]);
