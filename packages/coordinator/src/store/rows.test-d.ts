import type { PgTable } from "drizzle-orm/pg-core";
import { expectTypeOf, test } from "vitest";
import type * as schema from "../../schema/index.ts";
import type {
  AgentRow,
  ApprovalRow,
  HookRow,
  NamedHookRow,
  RunnerRow,
  RunRow,
  SessionRow,
  StoredEventRow,
} from "./generated/rows.ts";

/** The columns of the schema, by their names in the database. */
type RowOf<Table extends PgTable> = {
  readonly [Key in keyof Table["_"]["columns"] as Table["_"]["columns"][Key]["_"]["name"]]: Key extends keyof Table["$inferSelect"]
    ? Unchanged<Table["$inferSelect"][Key]>
    : never;
};

type Unchanged<Value> = Value extends (infer Element)[] ? readonly Element[] : Value;

test("rows have the columns of the schema, with their types", () => {
  expectTypeOf<AgentRow>().toEqualTypeOf<RowOf<typeof schema.agents>>();
  expectTypeOf<NamedHookRow>().toEqualTypeOf<RowOf<typeof schema.namedHooks>>();
  expectTypeOf<SessionRow>().toEqualTypeOf<RowOf<typeof schema.sessions>>();
  expectTypeOf<RunRow>().toEqualTypeOf<Omit<RowOf<typeof schema.runs>, "events_since">>();
  expectTypeOf<HookRow>().toEqualTypeOf<RowOf<typeof schema.runHooks>>();
  expectTypeOf<ApprovalRow>().toEqualTypeOf<RowOf<typeof schema.approvals>>();
  expectTypeOf<RunnerRow>().toEqualTypeOf<RowOf<typeof schema.runners>>();
  expectTypeOf<StoredEventRow>().toEqualTypeOf<RowOf<typeof schema.events>>();
});
