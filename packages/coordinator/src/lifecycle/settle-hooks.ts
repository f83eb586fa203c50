import type { Queries } from "../database/database.ts";
import type { Limits } from "../domain/limits.ts";
import { closeHook } from "./close-hook.ts";
import type { HookAnswer } from "./end-run.ts";

/** Closes the hooks that have their answers. That may end runs, which may be the answers of other hooks. */
export async function settleHooks(
  queries: Queries,
  answers: readonly HookAnswer[],
  limits: Limits,
): Promise<void> {
  const open = [...answers];
  for (let answer = open.shift(); answer !== undefined; answer = open.shift()) {
    open.push(...(await closeHook(queries, answer.hook, answer.reply, limits)));
  }
}
