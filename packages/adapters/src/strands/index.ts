// Hooks inside agents of Strands (`@strands-agents/sdk`).
export type { AdapterOptions, HookSource } from "../core/index.ts";
export { hooksPlugin } from "./hooks-plugin.ts";
export type { StrandsOptions } from "./invocation.ts";
