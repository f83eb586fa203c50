import { isKnownEvent, type RunDetail, type RunEvent } from "@tenterhook/protocol/runs";
import { hookAct } from "../timeline/hook-act.ts";

export interface FailedHook {
  readonly name: string;
  readonly event: string;
  readonly reason: string | undefined;
  /** The run of a run hook. */
  readonly runId: string | undefined;
}

/** The hooks that failed while the run continued, without duplicates: run hooks and hooks on the runner. */
export function failedHooks(run: RunDetail, events: readonly RunEvent[]): readonly FailedHook[] {
  const own = run.hooks
    .filter(({ state }) => state === "failed")
    .map(({ name, target_name, hook_type, error, child_run_id }) => ({
      name: name ?? target_name,
      event: hook_type,
      reason: error ?? undefined,
      runId: child_run_id ?? undefined,
    }));
  const onRunner = events
    .flatMap((event) => (isKnownEvent(event) && event.event_type === "hook_acted" ? [hookAct(event)] : []))
    .filter(({ failed }) => failed)
    .map(({ hook, event, reason }) => ({ name: hook ?? "a hook", event, reason, runId: undefined }));
  const distinct = new Map([...own, ...onRunner].map((hook) => [`${hook.name}\n${hook.event}`, hook]));
  return [...distinct.values()];
}
