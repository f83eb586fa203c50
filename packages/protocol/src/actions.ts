/**
 * What a host does with the outcome of a dispatch. A hook's verdict is what it said; the action is what that
 * means at this point of the agent's life, and the event table maps the one to the other.
 */
export const ACTIONS = {
  go_on: "Nothing objected: the operation is carried out.",
  refuse: "The operation is not carried out; the reason goes to the model and to the person.",
  hold: "The agent does not stop; the reason is its feedback.",
  release: "The agent stops, marked `gate_unsatisfied`, because its gate could not judge.",
  skip: "The operation is not carried out; the hook's result takes its place.",
  recover: "The error is dealt with; the hook's result, if any, replaces it.",
  fail: "The turn fails with the reason.",
  raise: "The run is stored, then the hook's error reaches the caller.",
  stop: "The whole run ends.",
  record: "It is too late to change anything: recorded and shown.",
} as const;

export type Action = keyof typeof ACTIONS;
