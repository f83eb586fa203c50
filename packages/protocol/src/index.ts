// Everything here can be had without loading zod; the schemas are in `@tenterhook/protocol/schemas`.
export { ERROR_CODES, type ErrorCode, type ErrorDetails, TenterhookError } from "@tenterhook/internal";
export * from "./actions.ts";
export * from "./aliases.ts";
export * from "./descriptor.ts";
export type { EventRow, FieldKind, Meaning } from "./event-row.ts";
export * from "./events.ts";
export type { Finding, HookFile } from "./hook-file.ts";
export * from "./hook-name.ts";
export * from "./outcomes.ts";
export * from "./tool-failure.ts";
export * from "./types.ts";
export * from "./wire.ts";
export type { WireField, WireShape } from "./wire-shape.ts";
