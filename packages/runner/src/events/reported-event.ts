/** Something that happened in a run, as the coordinator is told of it: names in snake_case, sizes bounded. */
export interface ReportedEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
