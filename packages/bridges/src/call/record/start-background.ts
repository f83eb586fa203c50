import { proceed } from "@tenterhook/protocol";
import { type JobStep, MAX_JOBS } from "../../session/job.ts";
import type { Decided } from "../decide/decide.ts";
import { startJob } from "../decide/run-in-job.ts";
import { findDueSteps } from "../match/due-steps.ts";
import type { PlannedHooks } from "../match/plan-file.ts";
import type { OpenCall } from "../read/open-call.ts";

/** Starts the background hooks in a process that the client does not wait for. Throws when they are not run. */
export async function startBackground(open: OpenCall, decided: Decided, plan: PlannedHooks): Promise<void> {
  if (open.call.startJob === undefined) return;
  const steps = [...backgroundSteps(decided), ...afterRefusal(open, decided)];
  const due = await findDueSteps(open, steps, plan);
  if (due.length > 0 && !(await startJob(open, due)))
    throw new Error(
      `background hooks were not run: ${MAX_JOBS} others run, or ${open.location.state} cannot be written to`,
    );
}

/** The events as they ended. */
function backgroundSteps({ steps }: Decided): readonly JobStep[] {
  return steps.map(({ step: { event }, dispatch: { payload, outcome, hook } }) => ({
    event,
    payload,
    outcome,
    ...(hook !== undefined && { by: hook }),
    hooks: "background",
  }));
}

/** Every tool call that began gets an event at its end. Most clients report nothing more of a refused call. */
function afterRefusal({ native: { client } }: OpenCall, { verdict, steps }: Decided): readonly JobStep[] {
  if (client.reportsBlockedTools || (verdict.type !== "block" && verdict.type !== "stop")) return [];
  return steps
    .filter(({ step }) => step.event === "before_tool")
    .map(({ step: { payload } }) => ({
      event: "after_tool_failure",
      payload: {
        ...payload,
        error: { name: "Blocked", message: verdict.reason },
        status: "blocked",
      } as never,
      outcome: proceed(),
      hooks: "all",
    }));
}
