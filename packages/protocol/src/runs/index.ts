export * from "./blueprint.ts";
export * from "./hook-contracts.ts";
