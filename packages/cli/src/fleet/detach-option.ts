import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** The options of the commands that start a run. */
export const DETACH_OPTIONS = {
  detach: { type: "boolean", about: "only start the run, and print its id; the default inside a run" },
  wait: { type: "boolean", about: "wait for the result, also inside a run (TENTERHOOK_RUN_ID is set)" },
} as const;

/** Whether to wait for a run that is started. Inside a run it would keep a slot of the runner that the new run may need. */
export function isDetached(
  { detach, wait }: { readonly detach: boolean; readonly wait: boolean },
  env = process.env,
): boolean {
  if (detach && wait) throw new UsageError("--detach and --wait exclude each other.", "Omit one of them.");
  const run = env.TENTERHOOK_RUN_ID;
  if (!run || detach) return detach;
  notify(
    wait
      ? `It waits inside the run ${run}, whose slot stays taken: the new run needs a free slot of a runner.`
      : `It does not wait for the result inside the run ${run}, because the new run may need its slot. --wait waits.`,
  );
  return !wait;
}
