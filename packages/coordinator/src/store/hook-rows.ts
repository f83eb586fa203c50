import { rowReader } from "../database/row-reader.ts";
import type { HookRow } from "./rows.ts";

export const readHook = rowReader<HookRow>({
  name: "read-hook",
  text: "SELECT * FROM run_hooks WHERE id = $1",
});

/** Locks a hook. Lock its run first, always: two transactions that lock in different orders wait for each other. */
export const lockHook = rowReader<HookRow>({
  name: "lock-hook",
  text: "SELECT * FROM run_hooks WHERE id = $1 FOR UPDATE",
});
