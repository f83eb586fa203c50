import type { RunEvent } from "@tenterhook/protocol/runs";

/** The number of events that are read automatically. */
export const FIRST_EVENTS = 10_000;

/** The events of a run that were read: from the first on, without gaps. */
export interface EventLog {
  readonly events: readonly RunEvent[];
  /** Live events after a gap, kept until the events in between were read. */
  readonly ahead: readonly RunEvent[];
  /** Further events are read only on request. */
  readonly limit: number;
}

export const EMPTY_LOG: EventLog = { events: [], ahead: [], limit: FIRST_EVENTS };

/** The number of the last event that was read. */
export function lastNumber({ events }: EventLog): number {
  return events.at(-1)?.number ?? 0;
}

export function isFull({ events, limit }: EventLog): boolean {
  return events.length >= limit;
}

/** Whether there are live events after a gap. */
export function hasGap({ ahead }: EventLog): boolean {
  return ahead.length > 0;
}

/** The log with a page of events. They follow whatever their numbers, because the oldest events may have been deleted. */
export function withPage(log: EventLog, page: readonly RunEvent[]): EventLog {
  const last = lastNumber(log);
  const fresh = page.filter(({ number }) => number !== null && number > last);
  if (fresh.length === 0 && log.ahead.length === 0) return log;
  return withLiveEvents({ ...log, events: [...log.events, ...fresh], ahead: [] }, log.ahead);
}

/** The log with live events. Events after a gap are kept until the gap is closed. */
export function withLiveEvents(log: EventLog, live: readonly RunEvent[]): EventLog {
  if (live.length === 0 || isFull(log)) return log.ahead.length === 0 ? log : { ...log, ahead: [] };
  const fresh: RunEvent[] = [];
  const ahead: RunEvent[] = [];
  let last = lastNumber(log);
  for (const event of [...log.ahead, ...live].toSorted(
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
