// Hooks inside Mastra: for agents of `@mastra/core` 1.71.
export { withHooks } from "./with-hooks.ts";
