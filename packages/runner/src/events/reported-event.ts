/** Something that happened in a run, as the coordinator is told of it: names in snake_case, sizes bounded. */
export interface ReportedEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One with the time at which it happened, by `performance.now()`. */
export interface DatedEvent extends ReportedEvent {
  readonly at: number;
}
