/** What an action means for a host, and how it is worded afterwards. */
export interface ActionRow {
  readonly means: string;
  /** What the hook did, as a sentence without its subject; the argument is the `subject` of the event's row. */
  did(subject: string): string;
}

/**
 * What a host does with the outcome of a dispatch. An outcome is a hook's answer; the action is what that means at this point
 * of the agent's life, and the event table maps the one to the other.
 */
export const ACTIONS = {
  go_on: {
    means: "No hook objected: the operation is carried out.",
    did: (subject) => `let ${subject} pass`,
  },
  refuse: {
    means: "The operation is not carried out; the reason goes to the model and to the person.",
    did: (subject) => `refused ${subject}`,
  },
  hold: {
    means: "The agent does not stop; the reason is its feedback.",
    did: () => "held the agent",
  },
  release: {
    means: "The agent stops, marked `gate_unsatisfied`, because its gate could not check it.",
    did: () => "could not check whether the agent may stop",
  },
  skip: {
    means: "The operation is not carried out; the hook's result takes its place.",
    did: (subject) => `took the place of ${subject}`,
  },
  recover: {
    means: "The error is handled; the hook's result, if any, replaces it.",
    did: (subject) => `recovered ${subject}`,
  },
  fail: { means: "The turn fails with the reason.", did: () => "failed the turn" },
  raise: { means: "The run is stored, then the hook's error reaches the caller.", did: () => "failed" },
  stop: { means: "The whole run ends.", did: () => "stopped the run" },
  record: {
    means: "It is too late to change anything: recorded and shown.",
    did: (subject) => `objected to ${subject}, too late`,
  },
} as const satisfies Record<string, ActionRow>;

/** What a host does after a dispatch. */
export type Action = keyof typeof ACTIONS;
