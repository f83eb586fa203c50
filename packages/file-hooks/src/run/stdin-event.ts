import { type EventName, type Outcome, type Payload, reasonOf, toWire } from "@tenterhook/protocol";

/**
 * An event as a script reads it on its standard input: JSON with one field a line, so that grep and cut find things in
 * it, the fields that every event has first, and `context` last.
 */
export function stdinEvent<E extends EventName>(
  event: E,
  payload: Payload<E>,
  {
    workDir,
    outcome,
    now,
  }: { readonly workDir: string; readonly outcome?: Outcome | undefined; readonly now: Date },
): string {
  const { event_type, timestamp, session_id, work_dir, context, ...rest } = toWire(event, payload);
  const complete = {
    event_type,
    timestamp: timestamp ?? now.toISOString(),
    session_id: session_id ?? "",
    work_dir: work_dir ?? workDir,
    ...rest,
    // Only hooks that say `always` are told how it ended.
    ...(outcome !== undefined && { outcome: outcome.type, reason: reasonOf(outcome) }),
    context: context ?? {},
  };
  return `${JSON.stringify(complete, undefined, 2)}\n`;
}
