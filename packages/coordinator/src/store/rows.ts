import type { PgTable } from "drizzle-orm/pg-core";
import type { agents, approvals, events, runHooks, runners, runs, sessions } from "./schema.ts";

export type {
  ApprovalState,
  ExecutionMode,
  HookState,
  Json,
  PinnedHook,
  PinnedHooks,
  RunKind,
} from "./column-types.ts";

/** A row as statements return it: the columns of the schema, by their names in the database. */
type RowOf<Table extends PgTable> = {
  readonly [Key in keyof Table["_"]["columns"] as Table["_"]["columns"][Key]["_"]["name"]]: Key extends keyof Table["$inferSelect"]
    ? Unchanged<Table["$inferSelect"][Key]>
    : never;
};

type Unchanged<Value> = Value extends (infer Element)[] ? readonly Element[] : Value;

export type AgentRow = RowOf<typeof agents>;
export type SessionRow = RowOf<typeof sessions>;
/** `events_since` is left out: only statements use it. */
export type RunRow = Omit<RowOf<typeof runs>, "events_since">;
export type HookRow = RowOf<typeof runHooks>;
export type ApprovalRow = RowOf<typeof approvals>;
export type RunnerRow = RowOf<typeof runners>;
/** `agent_name` is that of the run, only where events are read for the stream. */
export type EventRow = RowOf<typeof events> & { readonly agent_name?: string | null };
