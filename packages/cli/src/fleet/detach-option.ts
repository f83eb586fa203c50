/** The option of the commands that start a run. */
export const DETACH_OPTION = {
  detach: { type: "boolean", about: "only start the run, and print its id" },
} as const;

/** Advice for the option that other programs need for what is the default here. */
export const WAIT_ADVICE = {
  wait: "It waits for the result without an option; --detach only starts the run.",
} as const;
