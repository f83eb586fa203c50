/** All tables of the store, from which migrations are generated. */
export * from "./schema/catalogue.ts";
export * from "./schema/fleet.ts";
export * from "./schema/hooks.ts";
export * from "./schema/runs.ts";
export * from "./schema/search.ts";
