import type { EventName, TenterhookError } from "@tenterhook/protocol";

/** What happened to a hook. */
export type HookLifecycleType =
  | "hook:registered"
  | "hook:unregistered"
  | "hook:started"
  | "hook:completed"
  | "hook:error"
  | "hook:blocked"
  | "hook:timeout";

/** Something that happened to a hook. `hook:blocked` and `hook:timeout` come beside `completed` and `error`, never instead. */
export interface HookLifecycleEvent {
  readonly type: HookLifecycleType;
  readonly event: EventName;
  readonly hookId: string;
  readonly hookName: string;
  readonly durationMs: number | undefined;
  readonly error: TenterhookError | undefined;
  readonly reason: string | undefined;
  /** The hook was called a second time, because a later one changed the value. */
  readonly judging: boolean;
}
