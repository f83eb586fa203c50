/** All tables of the store, from which migrations are generated. */
export * from "./catalogue.ts";
export * from "./fleet.ts";
export * from "./hooks.ts";
export * from "./insights.ts";
export * from "./runs.ts";
export * from "./search.ts";
