import type { Queries, Statement } from "../database/database.ts";
import type { HookRow } from "./rows.ts";

const LOCK: Statement = { name: "lock-hook", text: "SELECT * FROM run_hooks WHERE id = $1 FOR UPDATE" };
const READ: Statement = { name: "read-hook", text: "SELECT * FROM run_hooks WHERE id = $1" };

export async function readHook(queries: Queries, id: string): Promise<HookRow | undefined> {
  return (await queries.run<HookRow>(READ, [id]))[0];
}

/** Locks a hook. Lock its run first, always: two transactions that lock in different orders wait for each other. */
export async function lockHook(queries: Queries, id: string): Promise<HookRow | undefined> {
  return (await queries.run<HookRow>(LOCK, [id]))[0];
}
