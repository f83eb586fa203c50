import type { AdapterName } from "../../core/index.ts";

/** A test that proves effects of hooks which no scenario shows: its file, from the repository's root, and its title. */
export interface OtherProof {
  /** `subagent_start block`, or the name of an event without effects. */
  readonly cells: readonly string[];
  readonly file: string;
  readonly title: string;
}

const TESTS = "test/adapters";
const AI_SDK = "packages/adapters/src/ai-sdk/testing/cases/endings.ts";
const LANGCHAIN = "packages/adapters/src/langchain/subagents.test.ts";
const CLAUDE = `${TESTS}/claude-agent-sdk/run.test.ts`;
const CLAUDE_TOOLS = `${TESTS}/claude-agent-sdk/tools.test.ts`;
const STOPS = ["subagent_start stop", "subagent_stop stop"];
const CHANGES = ["subagent_start patch", "subagent_start context"];

const CLAUDE_CALLBACKS = "packages/adapters/src/claude-agent-sdk/missing-effects.test.ts";

/** The tests of answers that a framework cannot carry at an event where they do not fail the turn. */
export const MISSING_EFFECT_PROOFS: { readonly [A in AdapterName]?: readonly OtherProof[] } = {
  "claude-agent-sdk": [
    {
      cells: ["on_error patch", "on_error recover"],
      file: CLAUDE_CALLBACKS,
      title: "a hook that answers an error of the model with %s is reported by its name",
    },
    {
      cells: ["on_error stop"],
      file: CLAUDE_CALLBACKS,
      title: "a hook that stops the run at an error of the model ends the query",
    },
    {
      cells: ["pre_compact context"],
      file: CLAUDE_CALLBACKS,
      title: "a hook that adds instructions to a compaction is reported by its name",
    },
  ],
};

/** The tests of subagents, sessions, compaction and permissions: each framework has its own way to get there. */
export const OTHER_PROOFS: Readonly<Record<AdapterName, readonly OtherProof[]>> = {
  "ai-sdk": [
    {
      cells: [...CHANGES, "subagent_stop block"],
      file: AI_SDK,
      title: "a subagent starts with the task that a hook changed, and is kept running by subagent_stop",
    },
    {
      cells: ["subagent_start block"],
      file: AI_SDK,
      title: "a subagent that a hook refuses does not call its model, and the parent goes on",
    },
    { cells: STOPS, file: AI_SDK, title: "a stop at %s ends the subagent and its caller" },
  ],
  langchain: [
    {
      cells: [...CHANGES, "subagent_start block"],
      file: LANGCHAIN,
      title: "changes the task of a subagent, and refuses a delegation with the reason as the tool's result",
    },
    {
      cells: ["subagent_stop block"],
      file: LANGCHAIN,
      title: "keeps a subagent running by subagent_stop, and fires before_stop for both agents",
    },
    { cells: STOPS, file: LANGCHAIN, title: "ends both runs that a hook stops at %s" },
  ],
  "openai-agents": [
    {
      cells: [...CHANGES, "subagent_start block"],
      file: `${TESTS}/openai-agents/agents.test.ts`,
      title: "a delegation is refused, or its task changed",
    },
    {
      cells: ["subagent_stop block"],
      file: `${TESTS}/openai-agents/agents.test.ts`,
      title: "hooks keep a subagent running",
    },
    {
      cells: STOPS,
      file: `${TESTS}/openai-agents/agents.test.ts`,
      title: "a stop at %s ends the run that delegates",
    },
  ],
  "claude-agent-sdk": [
    { cells: ["session_start block"], file: CLAUDE, title: "that is refused calls no model" },
    { cells: ["session_start stop"], file: CLAUDE, title: "that a hook stops calls no model" },
    { cells: ["session_start context"], file: CLAUDE, title: "adds context for the model (%s)" },
    {
      cells: ["session_end"],
      file: CLAUDE,
      title:
        "starts with its first prompt and ends with the query, although callbacks of both are never called",
    },
    {
      cells: ["subagent_start block"],
      file: CLAUDE,
      title: "is refused before it starts, which SubagentStart cannot",
    },
    { cells: CHANGES, file: CLAUDE, title: "gets the changed task and context" },
    { cells: ["subagent_stop block"], file: CLAUDE, title: "keeps running with feedback" },
    { cells: STOPS, file: CLAUDE, title: "ends with the run that a hook stops at %s" },
    { cells: ["pre_compact block"], file: CLAUDE, title: "is refused with pre_compact" },
    { cells: ["pre_compact stop"], file: CLAUDE, title: "ends the run that a hook stops at pre_compact" },
    {
      cells: ["permission_request block"],
      file: CLAUDE_TOOLS,
      title: "asks the hooks of permission_request before the person",
    },
    {
      cells: ["permission_request stop"],
      file: CLAUDE_TOOLS,
      title: "ends the run that a hook stops at permission_request",
    },
  ],
  mastra: [
    {
      cells: ["subagent_start block"],
      file: `${TESTS}/mastra/subagents.test.ts`,
      title: "a delegation is refused, and the model reads the reason",
    },
    {
      cells: CHANGES,
      file: `${TESTS}/mastra/subagents.test.ts`,
      title: "a changed task and context reach the subagent, and subagent_stop is fired once",
    },
    {
      cells: ["subagent_stop block"],
      file: `${TESTS}/mastra/subagents.test.ts`,
      title: "a subagent with the same hooks is kept running by subagent_stop",
    },
    {
      cells: STOPS,
      file: `${TESTS}/mastra/subagents.test.ts`,
      title: "a stop at %s ends the agent that delegates",
    },
  ],
  strands: [
    {
      cells: ["session_start block"],
      file: `${TESTS}/strands/run.test.ts`,
      title: "is not processed in a session that a hook refuses",
    },
    {
      cells: ["session_start stop"],
      file: `${TESTS}/strands/run.test.ts`,
      title: "is not processed in a session that a hook stops",
    },
    {
      cells: ["session_start context"],
      file: `${TESTS}/strands/run.test.ts`,
      title: "is changed, with context, in the conversation",
    },
    {
      cells: [...CHANGES, "subagent_stop block"],
      file: `${TESTS}/strands/subagents.test.ts`,
      title: "starts with the task that hooks changed, and stops when they let it",
    },
    {
      cells: ["subagent_start block"],
      file: `${TESTS}/strands/subagents.test.ts`,
      title: "does not start when a hook refuses it",
    },
    {
      cells: STOPS,
      file: `${TESTS}/strands/subagents.test.ts`,
      title: "ends with its caller when a hook stops it at %s",
    },
  ],
};

const AGENT = "packages/adapters/src/testing/parity/agent.test.ts";
const AGENT_SUBAGENTS = "packages/agent/src/subagents/subagents.test.ts";
const AGENT_COMPACTION = "packages/agent/src/loop/compaction.test.ts";

/** The tests of Tenterhook's own agent. */
export const AGENT_PROOFS: readonly OtherProof[] = [
  { cells: ["session_start block"], file: AGENT, title: "does not begin in a session that a hook refuses" },
  { cells: ["session_start stop"], file: AGENT, title: "does not begin in a session that a hook stops" },
  {
    cells: ["session_start context"],
    file: AGENT,
    title: "shows the model the context that hooks add to its session",
  },
  {
    cells: ["session_end"],
    file: "packages/agent/src/sessions/sessions.test.ts",
    title: "begin with its first run and end when it is ended; a run without one has its own",
  },
  { cells: CHANGES, file: AGENT_SUBAGENTS, title: "may change the task and add context" },
  {
    cells: ["subagent_start block"],
    file: AGENT_SUBAGENTS,
    title: "refuses a delegation: the model gets the reason, and subagent_stop fires",
  },
  {
    cells: ["subagent_stop block"],
    file: AGENT_SUBAGENTS,
    title: "holds the subagent with feedback, from the hooks of either",
  },
  { cells: ["pre_compact block"], file: AGENT_COMPACTION, title: "does not happen while a hook blocks it" },
  {
    cells: ["pre_compact context"],
    file: AGENT_COMPACTION,
    title:
      "asks pre_compact, whose instructions the summary follows, and passes the model hooks like any call",
  },
  { cells: ["pre_compact stop"], file: AGENT, title: "ends when a hook stops it before a compaction" },
];
