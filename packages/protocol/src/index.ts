// Everything here can be had without loading zod; the schemas are in `@tenterhook/protocol/schemas`.
export * from "./actions.ts";
export * from "./aliases.ts";
export * from "./descriptor.ts";
export * from "./errors.ts";
export type { EventRow, FieldKind, Meaning } from "./event-row.ts";
export * from "./events.ts";
export type { Finding, HookFile } from "./hook-file.ts";
export * from "./hook-name.ts";
export * from "./json/index.ts";
export { didYouMean, nearestWord } from "./nearest-word.ts";
export * from "./outcomes.ts";
export { LONGEST_ERROR, shortened } from "./shortened.ts";
export * from "./tool-failure.ts";
export * from "./types.ts";
export * from "./wire.ts";
export type { WireField, WireShape } from "./wire-shape.ts";
