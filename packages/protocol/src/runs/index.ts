/** A schema, and what a value is before and after it is parsed. */
export type { input as SchemaInput, output as SchemaOutput, ZodType as Schema } from "zod";
export * from "./approval-bar.ts";
export * from "./blueprint.ts";
export * from "./catalogue-api.ts";
export * from "./client-api.ts";
export * from "./events/index.ts";
export * from "./hook-contracts.ts";
export * from "./permissions.ts";
export * from "./person-name.ts";
export * from "./prices.ts";
export * from "./run-records.ts";
export * from "./run-status.ts";
export * from "./runner-api.ts";
export * from "./runner-name.ts";
export * from "./scopes.ts";
export * from "./storable-json.ts";
export * from "./trial-api.ts";
export * from "./usage.ts";
