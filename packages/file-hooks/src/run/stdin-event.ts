import { checkJson, findInexactNumber, JSON_DOCUMENT_LIMITS } from "@tenterhook/internal";
import { type EventName, type Outcome, type Payload, reasonOf, TenterhookError } from "@tenterhook/protocol";
import { toWire } from "@tenterhook/protocol/internal";
import type { CommandEffect } from "./effects-for.ts";

/** Indentation may make an event many times as long; a longer one than this has one line for each of its own fields. */
const LONGEST_INDENTED = 256 * 1024;

export interface StdinOptions {
  readonly workDir: string;
  readonly outcome?: Outcome | undefined;
  /** What the call does, for hooks that ask for it. */
  readonly effects?: readonly CommandEffect[] | undefined;
}

/**
 * An event as a script reads it on its standard input: JSON with one field a line, so that grep and cut find things in
 * it, the fields that every event has first, and `context` last. Throws `json_limit` for an event beyond the limits.
 */
export function stdinEvent<E extends EventName>(
  event: E,
  payload: Payload<E>,
  { workDir, outcome, effects }: StdinOptions,
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
    ...(effects !== undefined && { effects: writtenEffects(effects) }),
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

/** A script need not read more of a line that does so much. */
const MAX_EFFECTS = 100;

/** Effects that are left out are one that cannot be read, so that a script that looks for that notices. */
function writtenEffects(effects: readonly CommandEffect[]): readonly object[] {
  const more = effects.length - MAX_EFFECTS;
  if (more <= 0) return effects.map(writtenEffect);
  const rest = { effect: "unreadable", targets: [], command: "", where: "here", elevated: false };
  const reason = `${more + 1} more effects are left out`;
  return [...effects.slice(0, MAX_EFFECTS - 1).map(writtenEffect), { ...rest, reason }];
}

/** An effect as scripts and the command's JSON have it. */
export function writtenEffect({ name, targets, command, where, isElevated, reason }: CommandEffect): object {
  const written = targets.map((target) =>
    target.type === "path"
      ? { path: target.path, resolved: target.resolved, known: target.known }
      : { [target.type]: target.name, known: target.known },
  );
  return {
    effect: name,
    targets: written,
    command,
    where,
    elevated: isElevated,
    ...(reason !== undefined && { reason }),
  };
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
