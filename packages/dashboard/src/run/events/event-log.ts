import type { RunEvent } from "@tenterhook/protocol/runs";

/** How many events of a run are read without being asked for. */
export const FIRST_EVENTS = 10_000;

/** The events of a run that are known: from the first on, without gaps. */
export interface EventLog {
  readonly events: readonly RunEvent[];
  /** What the stream told before everything in between had been read. */
  readonly ahead: readonly RunEvent[];
  /** Beyond so many, more are read only when somebody asks. */
  readonly most: number;
}

export const EMPTY_LOG: EventLog = { events: [], ahead: [], most: FIRST_EVENTS };

/** The number of the last event that is known. */
export function lastNumber({ events }: EventLog): number {
  return events.at(-1)?.number ?? 0;
}

export function isFull({ events, most }: EventLog): boolean {
  return events.length >= most;
}

/** Whether the stream told of something that comes after a gap. */
export function hasGap({ ahead }: EventLog): boolean {
  return ahead.length > 0;
}

/** The log with what a page brought: those are next, whatever their numbers, since the oldest may have been trimmed. */
export function withPage(log: EventLog, page: readonly RunEvent[]): EventLog {
  const last = lastNumber(log);
  const fresh = page.filter(({ number }) => number !== null && number > last);
  if (fresh.length === 0 && log.ahead.length === 0) return log;
  return withHeard({ ...log, events: [...log.events, ...fresh], ahead: [] }, log.ahead);
}

/** The log with what the stream told: what follows is taken, what comes after a gap is kept until that is closed. */
export function withHeard(log: EventLog, heard: readonly RunEvent[]): EventLog {
  if (heard.length === 0 || isFull(log)) return log.ahead.length === 0 ? log : { ...log, ahead: [] };
  const fresh: RunEvent[] = [];
  const ahead: RunEvent[] = [];
  let last = lastNumber(log);
  for (const event of [...log.ahead, ...heard].toSorted(
    (one, other) => (one.number ?? 0) - (other.number ?? 0),
  )) {
    if (event.number === null || event.number <= last) continue;
    if (event.number === last + 1) {
      fresh.push(event);
      last = event.number;
    } else if (ahead.at(-1)?.number !== event.number) ahead.push(event);
  }
  if (fresh.length === 0 && ahead.length === log.ahead.length) return log;
  return { ...log, events: fresh.length === 0 ? log.events : [...log.events, ...fresh], ahead };
}
