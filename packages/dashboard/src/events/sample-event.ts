import type { RunEvent } from "@tenterhook/protocol/runs";

/** An event of a run, for tests. */
export function sampleEvent(event_type: string, more: object = {}): RunEvent {
  return {
    id: "1-1",
    event_type,
    run_id: "run_1",
    session_id: "ses_1",
    number: 1,
    timestamp: "2026-11-15T10:00:00.000Z",
    ...more,
  };
}
