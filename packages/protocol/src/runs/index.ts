export * from "./blueprint.ts";
export * from "./hook-contracts.ts";
export * from "./runner-api.ts";
