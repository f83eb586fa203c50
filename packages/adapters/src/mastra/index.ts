// Hooks inside Mastra: for agents of `@mastra/core` 1.71.
export { callPolicy } from "./approval.ts";
export { withHooks } from "./with-hooks.ts";
