export const block = (reason = "no") => ({ answers: { type: "block", reason } }) as const;

export const change = (toolInput: Record<string, unknown>) =>
  ({ answers: { type: "proceed", patch: { toolInput } } }) as const;
