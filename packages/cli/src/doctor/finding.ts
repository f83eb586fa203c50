/** Something that keeps a hook from firing, and how to fix it. */
export interface DoctorFinding {
  readonly problem: string;
  readonly fix: string;
}

/** One thing that was checked. */
export interface DoctorStep {
  readonly title: string;
  readonly ms: number;
  readonly findings: readonly DoctorFinding[];
  /** Information, not a problem. */
  readonly notes: readonly string[];
}

/** `ms`: what the step took, if it was begun earlier. */
export type StepResult = Pick<DoctorStep, "findings"> & Partial<Pick<DoctorStep, "notes" | "ms">>;

/** Runs a step and measures its time. */
export async function timedStep(
  title: string,
  work: () => StepResult | Promise<StepResult>,
): Promise<DoctorStep> {
  const begun = performance.now();
  const { findings, notes = [], ms = performance.now() - begun } = await work();
  return { title, ms, findings, notes };
}
