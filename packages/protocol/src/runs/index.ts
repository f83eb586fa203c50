export * from "./blueprint.ts";
export * from "./catalogue-api.ts";
export * from "./client-api.ts";
export * from "./hook-contracts.ts";
export * from "./permissions.ts";
export * from "./run-records.ts";
export * from "./runner-api.ts";
export * from "./storable-json.ts";
