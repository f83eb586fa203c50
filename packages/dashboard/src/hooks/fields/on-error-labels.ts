import type { RunHookType } from "@tenterhook/protocol/runs";

interface Meaning {
  readonly block: string;
  readonly continue: string;
}

const AFTER_END = {
  block: "Reported as an error. The run has ended and does not change.",
  continue: "Recorded only.",
} as const;

/** What the failure of a hook means for the run, by type. */
export const ON_ERROR_LABELS: Readonly<Record<RunHookType, Meaning>> = {
  on_run_start: {
    block: "The run fails before its agent starts.",
    continue: "The run starts with the original parameters.",
  },
  on_tool_call: {
    block: "The tool does not run, and the agent gets the reason.",
    continue: "The tool runs with the original input.",
  },
  on_result: {
    block: "The run fails, and its result is withheld.",
    continue: "The result is returned unchecked.",
  },
  on_run_finish: AFTER_END,
  on_run_error: AFTER_END,
  on_timeout: AFTER_END,
};

/** For a named hook, which may be used for any type. */
export const ANY_TYPE_LABELS: Meaning = {
  block: "The run fails, or the tool does not run.",
  continue: "The run continues without the hook.",
};

/** Types that are always sync: the run cannot continue without their answer. */
export const ALWAYS_SYNC: ReadonlySet<RunHookType> = new Set(["on_run_start", "on_result"]);
