import type { RunHookType } from "@tenterhook/protocol/runs";

interface Meaning {
  readonly block: string;
  readonly continue: string;
}

const OVER = {
  block: "It is told as an error. The run is over and stays as it ended.",
  continue: "It is noted, and nothing else.",
} as const;

/** What it means for the run when a hook of a type fails: no answer, a wrong one, or too late. */
export const ON_ERROR_WORDS: Readonly<Record<RunHookType, Meaning>> = {
  on_run_start: {
    block: "The run fails, and its agent never starts.",
    continue: "The run starts with the parameters as they were sent.",
  },
  on_tool_call: {
    block: "The tool is not run, and the agent is told why.",
    continue: "The tool runs as the agent asked for it.",
  },
  on_result: {
    block: "The run fails, and nobody gets its result.",
    continue: "The result is given out as it is, unjudged.",
  },
  on_run_finish: OVER,
  on_run_error: OVER,
  on_timeout: OVER,
};

/** Of a hook that has a name, and serves whatever types refer to it. */
export const ANY_TYPE_WORDS: Meaning = {
  block: "What it should have judged does not happen: the run fails, or the tool is not run.",
  continue: "The run goes on as if there were no hook.",
};

/** Hooks that are always waited for: what they judge cannot go on without their answer. */
export const ALWAYS_SYNC: ReadonlySet<RunHookType> = new Set(["on_run_start", "on_result"]);
