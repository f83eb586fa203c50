export type { AdapterName } from "./core/adapter-name.ts";
export type { AdapterOptions, HookSource } from "./core/adapter-options.ts";
export type { AdapterSupport, Effect, EventSupport } from "./core/support.ts";
