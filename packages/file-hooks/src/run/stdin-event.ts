import { type EventName, type Payload, toWire } from "@tenterhook/protocol";

/**
 * An event as a script reads it on its standard input: JSON with one field a line, so that grep and cut find things in
 * it, the fields that every event has first, and `context` last.
 */
export function stdinEvent<E extends EventName>(event: E, payload: Payload<E>, workDir: string, now: Date): string {
  const { event_type, timestamp, session_id, work_dir, context, ...rest } = toWire(event, payload);
  const complete = {
    event_type,
    timestamp: timestamp ?? now.toISOString(),
    session_id: session_id ?? "",
    work_dir: work_dir ?? workDir,
    ...rest,
    context: context ?? {},
  };
  return `${JSON.stringify(complete, undefined, 2)}\n`;
}
