// What the other packages need of the contract, and no user. Not stable.
export { ALIASES, type AliasDialect, type ResolvedEvent, resolveEvent } from "./aliases.ts";
export type { FieldKind, Meaning } from "./event-row.ts";
export { actionFor } from "./events.ts";
export { isHookNameTooLong, isPlainHookName, LONGEST_HOOK_NAME, normalName } from "./hook-name.ts";
export { NOT_BY, type NotBy, OUTCOME_TYPES, type PatchArgument, type QuietProceed } from "./outcomes.ts";
export { fromWire, toWire, type WireEvent, wireName } from "./wire.ts";
