/** A scenario that a host does not show yet. */
export interface KnownDifference {
  /** The `name` of its support table. */
  readonly host: string;
  readonly scenario: string;
  /** What it does today. */
  readonly reason: string;
}

const CLAUDE = "the Claude Agent SDK";
/** The adapters with a seam for model calls. */
const WITH_MODEL = ["AI SDK", "LangChain", "OpenAI Agents", "Mastra", "Strands"];
const ADAPTERS = [...WITH_MODEL, CLAUDE];

/**
 * Errors of hosts that are known. A test fails when such a scenario passes: then its row must go. What a framework cannot do otherwise is
 * not here, but in the `differences` of its driver.
 */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  ...knownInAll(
    WITH_MODEL,
    "says of a subagent whose model fails that it stopped by an error",
    "the reason is the status of the run",
  ),
  ...knownInAll(
    ADAPTERS,
    "says of a subagent that a hook stopped that it was stopped by a hook",
    "the reason is the status of the run",
  ),
  {
    host: "Strands",
    scenario: "leaves a run stopped when a guard fails at the end of the step in which a hook stopped it",
    reason: "the failure of the guard replaces the stop",
  },
];

function knownInAll(hosts: readonly string[], scenario: string, reason: string): readonly KnownDifference[] {
  return hosts.map((host) => ({ host, scenario, reason }));
}
