import { proceed } from "@tenterhook/protocol";
import { type JobStep, storeJob } from "../../session/job.ts";
import { findDueSteps } from "../match/due-steps.ts";
import type { PlannedHooks } from "../match/plan-file.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { Step } from "../translate/translate.ts";

/** Runs all hooks of an event in a process that outlives the client. Returns false when no process can be started. */
export async function runInJob(open: OpenCall, plan: PlannedHooks, steps: readonly Step[]): Promise<boolean> {
  if (open.call.startJob === undefined) return false;
  const due = await findDueSteps(
    open,
    steps.map(({ event, payload }) => ({ event, payload, outcome: proceed(), hooks: "all" })),
    plan,
  );
  return due.length === 0 || startJob(open, due);
}

/** Stores the steps and starts the process that runs their hooks. Returns false when they cannot be stored. */
export async function startJob(
  { call, native, location }: OpenCall,
  steps: readonly JobStep[],
): Promise<boolean> {
  const { client, eventName } = native;
  const path = storeJob(location.state, {
    client: client.id,
    nativeEvent: eventName,
    folders: location.folders,
    steps,
  });
  if (path === undefined) return false;
  await call.startJob?.(path);
  return true;
}
