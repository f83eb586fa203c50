/** What a scope permits. */
export const SCOPE_LABELS = {
  admin: "Can read and change everything",
  client: "Can read everything, and start and stop runs",
  viewer: "Can read everything",
  reviewer: "Can decide approvals, and read the runs that have one",
  runner: "Can execute runs",
} as const;
