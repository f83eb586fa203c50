import type { AdapterOptions } from "../core/index.ts";

/** The options of this adapter. */
export interface OpenAiOptions extends AdapterOptions {
  /**
   * The agent is only run by a runner that has these hooks, or as a tool of an agent that does; run by another runner it refuses to
   * start. Default false: any runner may run the agent, and a hook on an event of the run itself is an error.
   */
  readonly runner?: boolean | undefined;
}
