import type { Action, EventName, OutcomeType } from "@tenterhook/protocol";
import type { Case } from "./case.ts";

/** One row of the contract, written down a second time on purpose: the table in `protocol` is tested against it. */
interface ContractRow {
  readonly event: EventName;
  readonly block: Action;
  readonly failure: Action;
  readonly stop: Action;
  readonly outcomes?: readonly ("skip" | "ask" | "recover")[];
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly adds?: boolean;
}

export const CONTRACT: readonly ContractRow[] = [
  { event: "session_start", block: "refuse", failure: "refuse", stop: "stop", adds: true },
  { event: "session_end", block: "record", failure: "record", stop: "record" },
  {
    event: "before_agent",
    block: "refuse",
    failure: "refuse",
    stop: "stop",
    changes: { message: "Hi" },
    adds: true,
  },
  { event: "after_agent", block: "record", failure: "raise", stop: "record" },
  {
    event: "before_step",
    block: "skip",
    failure: "fail",
    stop: "stop",
    outcomes: ["skip"],
    changes: { messages: [], state: { agentId: "a2", stepCount: 0 } },
  },
  {
    event: "after_step",
    block: "record",
    failure: "fail",
    stop: "stop",
    changes: { messages: [], state: { agentId: "a2", stepCount: 1 } },
  },
  {
    event: "before_llm",
    block: "fail",
    failure: "fail",
    stop: "stop",
    outcomes: ["skip"],
    changes: { messages: [], tools: [{ name: "Shell" }], systemPrompt: "Be brief.", model: "large" },
  },
  {
    event: "after_llm",
    block: "refuse",
    failure: "fail",
    stop: "stop",
    changes: { text: "Hello!", toolUses: [] },
  },
  {
    event: "before_tool",
    block: "refuse",
    failure: "refuse",
    stop: "stop",
    outcomes: ["skip", "ask"],
    changes: { toolInput: { command: "ls" } },
    adds: true,
  },
  {
    event: "after_tool",
    block: "refuse",
    failure: "refuse",
    stop: "stop",
    changes: { toolResult: "b.txt" },
    adds: true,
  },
  {
    event: "after_tool_failure",
    block: "record",
    failure: "record",
    stop: "stop",
    outcomes: ["recover"],
    changes: { toolResult: "try again" },
    adds: true,
  },
  { event: "before_stop", block: "hold", failure: "release", stop: "stop" },
  {
    event: "subagent_start",
    block: "refuse",
    failure: "refuse",
    stop: "stop",
    changes: { taskDescription: "Review auth" },
    adds: true,
  },
  { event: "subagent_stop", block: "hold", failure: "release", stop: "stop" },
  { event: "pre_compact", block: "refuse", failure: "record", stop: "stop", adds: true },
  { event: "permission_request", block: "refuse", failure: "refuse", stop: "stop" },
  { event: "notification", block: "record", failure: "record", stop: "record" },
  {
    event: "on_error",
    block: "record",
    failure: "record",
    stop: "stop",
    outcomes: ["recover"],
    changes: { error: { name: "Error", message: "busy" } },
  },
  { event: "agent_failed", block: "record", failure: "record", stop: "record" },
  {
    event: "on_run_start",
    block: "refuse",
    failure: "refuse",
    stop: "stop",
    outcomes: ["ask"],
    changes: { parameters: { report_id: "R124" } },
  },
  {
    event: "on_tool_call",
    block: "refuse",
    failure: "refuse",
    stop: "stop",
    outcomes: ["ask"],
    changes: { toolInput: { command: "ls -l" } },
  },
  {
    event: "on_result",
    block: "refuse",
    failure: "refuse",
    stop: "stop",
    changes: { resultText: "better", resultData: { count: 1 } },
  },
  { event: "on_run_finish", block: "record", failure: "record", stop: "record" },
  { event: "on_run_error", block: "record", failure: "record", stop: "record" },
  { event: "on_timeout", block: "record", failure: "record", stop: "record" },
];

/** Fields that no event lets a hook change. */
const FOREIGN = { sessionId: "another", toolName: "Other", nonsense: 1 };

/** Every cell of the table as cases. */
export const EVENT_CASES: readonly Case[] = CONTRACT.flatMap((row) => [
  ...meanings(row),
  ...otherOutcomes(row),
  ...changes(row),
  ...additions(row),
]);

function meanings({ event, block, failure, stop }: ContractRow): Case[] {
  const decides = failure === "refuse" || failure === "fail" || failure === "raise";
  return [
    {
      name: `${event}: no hook objects, and it proceeds`,
      event,
      hooks: [{ name: "watcher" }],
      expect: { outcome: "proceed", action: "go_on", called: ["watcher"] },
    },
    {
      name: `${event}: block means ${block}, with the reason`,
      event,
      hooks: [{ name: "guard", does: { answers: { type: "block", reason: "not here" } } }, { name: "later" }],
      expect: { outcome: "block", action: block, reason: "not here", called: ["guard"] },
    },
    {
      name: `${event}: stop means ${stop}`,
      event,
      hooks: [{ name: "guard", does: { answers: { type: "stop", reason: "enough" } } }, { name: "later" }],
      expect: { outcome: "stop", action: stop, reason: "enough", called: ["guard"] },
    },
    {
      name: `${event}: a hook that fails with onError block means ${failure}`,
      event,
      hooks: [{ name: "broken", does: { throws: "boom" }, onError: "block" }, { name: "later" }],
      expect: {
        action: failure === "record" ? "go_on" : failure,
        ...(decides && { outcome: "block", reason: "boom" }),
        called: decides ? ["broken"] : ["broken", "later"],
        failed: { broken: "hook_threw" },
      },
    },
    {
      name: `${event}: a hook that fails with onError continue is passed over`,
      event,
      hooks: [{ name: "broken", does: { throws: "boom" }, onError: "continue" }, { name: "later" }],
      expect: {
        outcome: "proceed",
        action: "go_on",
        called: ["broken", "later"],
        failed: { broken: "hook_threw" },
      },
    },
  ];
}

function otherOutcomes({ event, failure, outcomes = [] }: ContractRow): Case[] {
  const given: Record<string, { readonly outcome: OutcomeType; readonly action: Action }> = {
    skip: { outcome: "skip", action: "skip" },
    recover: { outcome: "recover", action: "recover" },
  };
  return (["skip", "ask", "recover"] as const).map((outcome): Case => {
    const answers =
      outcome === "ask" ? { type: outcome, reason: "sure?" } : { type: outcome, result: "instead" };
    const hooks = [{ name: "hook", does: { answers } }];
    if (!outcomes.includes(outcome)) {
      return {
        name: `${event}: ${outcome} is not one of its outcomes, and is an error of the hook`,
        event,
        hooks,
        expect: {
          action: failure === "record" ? "go_on" : failure,
          failed: { hook: "outcome_not_allowed" },
        },
      };
    }
    if (outcome === "ask") {
      return {
        name: `${event}: ask goes to the approver`,
        event,
        hooks,
        host: { approver: "approve" },
        expect: { outcome: "proceed", action: "go_on" },
      };
    }
    return {
      name: `${event}: ${outcome} puts its result in the operation's place`,
      event,
      hooks: [...hooks, { name: "later" }],
      expect: { ...given[outcome], result: "instead", called: ["hook"] },
    };
  });
}

function changes({ event, failure, changes: allowed = {} }: ContractRow): Case[] {
  const refused = (field: string, value: unknown): Case => ({
    name: `${event}: changing ${field} is an error of the hook, and nothing is changed`,
    event,
    hooks: [{ name: "hook", does: { answers: { type: "proceed", patch: { [field]: value } } } }],
    expect: { action: failure === "record" ? "go_on" : failure, failed: { hook: "patch_not_allowed" } },
  });
  return [
    ...Object.entries(allowed).map(
      ([field, value]): Case => ({
        name: `${event}: a hook may change ${field}`,
        event,
        hooks: [{ name: "hook", does: { answers: { type: "proceed", patch: { [field]: value } } } }],
        expect: { outcome: "proceed", action: "go_on", payload: { [field]: value } },
      }),
    ),
    ...Object.entries(FOREIGN).map(([field, value]) => refused(field, value)),
  ];
}

function additions({ event, failure, adds = false }: ContractRow): Case[] {
  const hooks = [{ name: "hook", does: { answers: { type: "proceed" as const, context: "by the way" } } }];
  if (adds) {
    return [
      {
        name: `${event}: a hook may add to it`,
        event,
        hooks,
        expect: { outcome: "proceed", context: ["by the way"] },
      },
    ];
  }
  return [
    {
      name: `${event}: it takes no added context, and adding it is an error of the hook`,
      event,
      hooks,
      expect: {
        action: failure === "record" ? "go_on" : failure,
        failed: { hook: "patch_not_allowed" },
        context: [],
      },
    },
  ];
}
