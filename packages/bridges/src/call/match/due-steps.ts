import type { JobStep } from "../../session/job.ts";
import type { OpenCall } from "../read/open-call.ts";
import { HookSet } from "./hook-set.ts";
import type { PlannedHooks } from "./plan-file.ts";

/** The steps that a hook matches; a process is started for these only. */
export async function findDueSteps(
  { call, location }: OpenCall,
  steps: readonly JobStep[],
  plan: PlannedHooks,
): Promise<readonly JobStep[]> {
  const candidates = steps.filter(({ event, hooks }) =>
    (plan[event] ?? []).some(({ mode }) => hooks === "all" || mode === "background"),
  );
  if (candidates.length === 0) return [];
  const set = new HookSet({ folders: location.folders, env: call.env, mode: "all", report: () => undefined });
  const due: JobStep[] = [];
  for (const step of candidates) {
    await set.hooks.prepare(step.event);
    const isDue = set.hooks
      .explain(step.event, step.payload)
      .hooks.some(({ hook, runs }) => runs && isCalled(hook, step));
    if (isDue) due.push(step);
  }
  return due;
}

/** After a refusal only the hooks with `always: true` are called. */
function isCalled(
  { mode, always }: { readonly mode: string; readonly always: boolean },
  { outcome, hooks }: JobStep,
): boolean {
  if (hooks === "all") return true;
  return mode === "background" && (always || (outcome.type !== "block" && outcome.type !== "stop"));
}
