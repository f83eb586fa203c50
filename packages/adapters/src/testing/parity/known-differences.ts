/** A scenario that a host does not show yet. */
export interface KnownDifference {
  /** The `name` of its support table. */
  readonly host: string;
  readonly scenario: string;
  /** What it does today. */
  readonly reason: string;
}

const AGENT = "Tenterhook's agent";
const CLAUDE = "the Claude Agent SDK";
/** The adapters with a seam for model calls. */
const WITH_MODEL = ["AI SDK", "LangChain", "OpenAI Agents", "Mastra", "Strands"];
const ADAPTERS = [...WITH_MODEL, CLAUDE];

/**
 * Errors of hosts that are known. A test fails when such a scenario passes: then its row must go. What a framework cannot do otherwise is
 * not here, but in the `differences` of its driver.
 */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    host: AGENT,
    scenario: "keeps the reason of the first stop",
    reason: "a later stop replaces the first one",
  },
  {
    host: AGENT,
    scenario: "fails the run when a hook gives something else than an answer in place of the model's",
    reason: "the error of that hook is offered to on_error",
  },
  {
    host: AGENT,
    scenario: "ends a running call as failed when a hook stops the run at a call beside it",
    reason: "the call counts as blocked, as if it had not run",
  },
  ...knownInAll(
    [AGENT, ...WITH_MODEL],
    "fails the run with the error of the model when a hook recovers it with something else than an answer",
    "the error of the recovery replaces that of the model",
  ),
  ...knownInAll(
    [AGENT],
    "measures how long the tool ran: not at all if it was refused, else without the hooks before it",
    "the hooks before the tool count too",
  ),
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
