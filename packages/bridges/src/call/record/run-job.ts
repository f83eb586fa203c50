import type { TraceEntry } from "@tenterhook/engine";
import { findLocations } from "@tenterhook/file-hooks";
import { isHookFilePath } from "@tenterhook/file-hooks/discover";
import { continueJob, endJob, type Job, type JobStep, LONGEST_STEP_MS, readJob } from "../../session/job.ts";
import { HookSet } from "../match/match-hooks.ts";
import { decisionEntry, logDecision, readSubject } from "./decision-log.ts";

/** Runs the hooks of a job to their end, each within its own timeout, and logs how they ended. */
export async function runJob(path: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    const job = readJob(path);
    for (const step of job.steps) {
      continueJob(path);
      await runStep(job, step, env);
    }
  } finally {
    endJob(path);
  }
}

async function runStep(
  job: Job,
  step: JobStep,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const notes: string[] = [];
  const set = new HookSet({
    folders: job.folders,
    env,
    mode: step.hooks,
    report: (message) => void notes.push(message),
  });
  const { hooks } = set;
  const entries: TraceEntry[] = [];
  hooks.instrument(() => ({ run: (work) => work(), end: (entry) => void entries.push(entry) }));
  // Background hooks are called with the outcome of the event.
  if (step.hooks === "background")
    hooks.on(step.event, () => step.outcome as never, { name: step.by ?? "tenterhook", priority: 10_000 });
  const begun = Date.now();
  await hooks.dispatch(step.event, step.payload);
  await hooks.close({ timeoutMs: LONGEST_STEP_MS });
  const [cwd = "/"] = job.folders;
  const { state, project } = findLocations(cwd, env);
  const { sessionId } = step.payload as { readonly sessionId?: string };
  logDecision(state, {
    time: new Date().toISOString(),
    event: step.event,
    client: job.client,
    native_event: job.nativeEvent,
    session_id: sessionId || undefined,
    project,
    ...readSubject(step.payload),
    outcome: "proceed",
    action: "go_on",
    reported: "nothing",
    duration_ms: Date.now() - begun,
    entries: entries.filter(({ source }) => isHookFilePath(source)).map(decisionEntry),
    ...(notes.length > 0 && { notes }),
  });
}
