import type { NewRunEvent, RunnerEventType } from "@tenterhook/protocol/runs";

/** Something that happened in a run, as it is reported to the coordinator: names in snake_case, sizes bounded. */
export type ReportedEvent<T extends RunnerEventType = RunnerEventType> = NewRunEvent<T>;

/** One with the time at which it happened, by `performance.now()`. */
export type DatedEvent = ReportedEvent & { readonly at: number };
